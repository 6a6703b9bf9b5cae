import { isDeepStrictEqual } from 'node:util';
import { expectedSums } from '../../test/support/gathering/definitions.ts';
import type { GatheringOutcome } from '../../test/support/gathering/load.ts';

/** What did not hold of a scatter-gather. */
export function complaintsOf(
  requests: number,
  { results, sagasLeft, deadLettered }: Omit<GatheringOutcome, 'seconds' | 'killed' | 'sentTwice'>,
): string[] {
  const result = expectedSums(requests);
  const expected = { id: 'one', outcome: 'complete', requests, missing: [], result };
  return [
    results.length !== 1 && `${results.length} results were sent`,
    !isDeepStrictEqual(results[0], expected) && 'the result does not count each reply once',
    sagasLeft > 0 && `${sagasLeft} sagas have not ended`,
    deadLettered > 0 && `${deadLettered} messages are in a dead letter queue`,
  ].filter((complaint) => complaint !== false);
}
