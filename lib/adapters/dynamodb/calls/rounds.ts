import { fullJitterDelayMs } from '../../../core/async/retry-with-backoff.ts';
import { SagaboxError } from '../../../core/failures/errors.ts';
import type { Clock } from '../../../ports.ts';

const MAX_ROUNDS = 8;
const backoff = { baseDelayMs: 50, maxDelayMs: 3200 } as const;

/** What the rounds of one client go by. */
export interface RoundTime {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/**
 * Waits, longer each time, until what DynamoDB left unprocessed under load is tried again.
 *
 * @param rounds that were made
 * @param signal no further round is made once it is aborted
 * @throws SagaboxError `Throttled` when no further one is made
 */
export async function untilNextRound(
  { clock, random }: RoundTime,
  operation: string,
  rounds: number,
  signal?: AbortSignal,
): Promise<void> {
  if (rounds < MAX_ROUNDS && !signal?.aborted) {
    const delayMs = fullJitterDelayMs(rounds - 1, backoff, random());
    await clock.sleep(delayMs, signal);
    if (!signal?.aborted) return;
  }
  const times = rounds === 1 ? 'once' : `${rounds} times`;
  throw new SagaboxError('Throttled', { operation, reason: `it was left unprocessed ${times}` });
}
