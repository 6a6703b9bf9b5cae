import { setTimeout as delay } from 'node:timers/promises';
import type { Context as LambdaContext } from 'aws-lambda';
import { lambdaContext } from '../../../lib/testing/lambda-context.ts';

export interface InvocationLimit {
  readonly timeLimitMs: number;
  /** Called at the time limit: the process is to be ended, as Lambda ends it. */
  readonly onCutOff: () => void;
  /** Told how much of the time limit the invocation took. */
  readonly onTime: (usedMs: number) => void;
}

const tickMs = 50;
/** A tick that takes longer shows that the process got no processor: that time counts for nobody. */
const maxTickMs = 2 * tickMs;

/**
 * Runs a function as Lambda does: it can ask for its remaining time, and has no more than that.
 *
 * @returns what the function returns; never settles when the invocation was cut off, because nobody is left
 *   to be answered
 */
export async function invoke<T>(
  run: (context: LambdaContext) => Promise<T>,
  { timeLimitMs, onCutOff, onTime }: InvocationLimit,
): Promise<T> {
  const ended = new AbortController();
  const endsAt = performance.now() + timeLimitMs;
  const context = { ...lambdaContext(), getRemainingTimeInMillis: () => endsAt - performance.now() };
  let usedMs = 0;
  const watch = async (): Promise<'cut off' | 'ended'> => {
    let tickedAt = performance.now();
    while (usedMs < timeLimitMs) {
      try {
        await delay(Math.min(tickMs, timeLimitMs - usedMs), undefined, { signal: ended.signal });
      } catch {
        return 'ended';
      } finally {
        const now = performance.now();
        usedMs = Math.min(timeLimitMs, usedMs + Math.min(now - tickedAt, maxTickMs));
        tickedAt = now;
      }
    }
    return 'cut off';
  };
  const watching = watch();
  const running = run(context).finally(() => ended.abort());
  running.catch(() => undefined);
  const isCutOff = (await watching) === 'cut off';
  onTime(usedMs);
  if (!isCutOff) return await running;
  onCutOff();
  return await new Promise<never>(() => {});
}
