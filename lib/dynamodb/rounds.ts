import { SagaboxError } from '../core/errors.ts';
import type { Clock } from '../ports.ts';

const MAXIMUM_ROUNDS = 8;
const BASE_DELAY_MS = 25;

/**
 * Tries again, after growing delays, what DynamoDB leaves unprocessed under load.
 *
 * @param attempt gives back what is left
 * @returns what was left to the end
 */
export async function inRounds<T>(
  clock: Clock,
  wanted: readonly T[],
  attempt: (pending: readonly T[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  let pending = wanted;
  for (let round = 0; pending.length > 0 && round < MAXIMUM_ROUNDS; round += 1) {
    if (round > 0) await clock.sleep(BASE_DELAY_MS * 2 ** round);
    pending = await attempt(pending);
  }
  return pending;
}

export function leftUnprocessed(operation: string): SagaboxError<'Throttled'> {
  return new SagaboxError('Throttled', {
    operation,
    reason: `it was left unprocessed ${MAXIMUM_ROUNDS} times`,
  });
}
