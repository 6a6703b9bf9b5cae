import { isDeepStrictEqual } from 'node:util';
import { expectedSums } from './definitions.ts';
import type { GatheringOutcome } from './load.ts';

/** What did not hold of a scatter-gather. */
export function complaintsOf(
  requests: number,
  { settled, results, sagasLeft, deadLettered }: Omit<GatheringOutcome, 'seconds' | 'killed' | 'sentTwice'>,
): string[] {
  const result = expectedSums(requests);
  const expected = { id: 'one', outcome: 'complete', requests, missing: [], result };
  return [
    !settled && 'nothing moved any more, before all was handled',
    results.length !== 1 && `${results.length} results were sent`,
    !isDeepStrictEqual(results[0], expected) && 'the result does not count each reply once',
    sagasLeft > 0 && `${sagasLeft} sagas have not ended`,
    deadLettered > 0 && `${deadLettered} messages are in a dead letter queue`,
  ].filter((complaint) => complaint !== false);
}
