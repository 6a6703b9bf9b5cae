import type { UndispatchedSearch } from './undispatched-records.dynamodb.ts';

/**
 * Runs several searches, one after another. The error of one is thrown when the others have ended.
 *
 * @param random returns a number from 0 up to 1, which chooses the search that a run begins with: runs that
 *   end early do not always leave out the same one
 */
export function searchEach(
  searches: readonly UndispatchedSearch[],
  random: () => number = () => 0,
): UndispatchedSearch {
  return async function* (...terms) {
    const first = Math.floor(random() * searches.length);
    const errors: unknown[] = [];
    for (const search of [...searches.slice(first), ...searches.slice(0, first)]) {
      try {
        yield* search(...terms);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };
}
