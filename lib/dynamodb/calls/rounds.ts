import { backoffDelayMs } from '../../kernel/async/retry-with-backoff.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';

const MAX_ROUNDS = 8;
const backoff = { baseDelayMs: 50, maxDelayMs: 3200 } as const;

/** The clock and the random numbers by which the rounds of one client are timed. */
export interface RoundTime {
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

/**
 * Waits, longer each time, before the requests that DynamoDB left unprocessed under load are retried.
 *
 * @param rounds the number of rounds made so far
 * @param signal once it is aborted, no further round is made
 * @throws SagaboxError `Throttled` when no further round is made
 */
export async function untilNextRound(
  { clock, random }: RoundTime,
  operation: string,
  rounds: number,
  signal?: AbortSignal,
): Promise<void> {
  if (rounds < MAX_ROUNDS && !signal?.aborted) {
    const delayMs = backoffDelayMs(rounds - 1, backoff, random());
    await clock.sleep(delayMs, signal);
    if (!signal?.aborted) return;
  }
  const times = rounds === 1 ? 'once' : `${rounds} times`;
  throw new SagaboxError('Throttled', { operation, reason: `it was left unprocessed ${times}` });
}
