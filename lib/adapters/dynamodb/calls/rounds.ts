import { retryWithBackoff } from '../../../core/async/retry-with-backoff.ts';
import { SagaboxError } from '../../../core/failures/errors.ts';
import type { Clock } from '../../../ports.ts';

const MAX_ROUNDS = 8;
const backoff = { maxRetries: MAX_ROUNDS - 1, baseDelayMs: 50, maxDelayMs: 3200 } as const;

/** What the rounds of one client go by. */
export interface RoundTime {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/**
 * Tries again, after growing delays, what DynamoDB leaves unprocessed under load.
 *
 * @param attempt gives back what is left
 * @param signal begins no further round once it is aborted
 * @returns what was left to the end
 */
export async function inRounds<T>(
  { clock, random }: RoundTime,
  wanted: readonly T[],
  attempt: (pending: readonly T[]) => Promise<readonly T[]>,
  signal?: AbortSignal,
): Promise<readonly T[]> {
  let pending = wanted;
  const attemptPending = async () => {
    pending = await attempt(pending);
    return pending;
  };
  return await retryWithBackoff(attemptPending, {
    backoff,
    isUnfinished: (left) => left.length > 0 && !signal?.aborted,
    sleep: (durationMs) => clock.sleep(durationMs, signal),
    random,
  });
}

export function leftUnprocessed(operation: string): SagaboxError<'Throttled'> {
  return new SagaboxError('Throttled', {
    operation,
    reason: `it was left unprocessed ${MAX_ROUNDS} times`,
  });
}
