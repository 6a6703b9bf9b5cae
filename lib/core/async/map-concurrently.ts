import { settleAll } from './settle.ts';

/**
 * Maps every input, so many at a time, whether another fails or not.
 *
 * @param map may call `release` before it ends: the next input begins then, and its result is waited for
 * @returns the results, in the order of the inputs
 * @throws the first error by that order, once all have ended
 */
export async function mapConcurrently<Input, Result>(
  inputs: Iterable<Input> | AsyncIterable<Input>,
  concurrency: number,
  map: (input: Input, release: () => void) => Promise<Result>,
): Promise<Result[]> {
  // None has to wait for another one: this takes half of the time and memory of the loop.
  if (Array.isArray(inputs) && inputs.length <= concurrency) {
    return await settleAll(inputs.map(async (input) => await map(input, () => {})));
  }
  const outcomes: Promise<Result>[] = [];
  const underWay = new Set<Promise<void>>();
  try {
    for await (const input of inputs) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const outcome = (async () => await map(input, release))();
      outcomes.push(outcome);
      outcome.then(
        () => release(),
        () => release(),
      );
      const left: Promise<void> = released.then(() => void underWay.delete(left));
      underWay.add(left);
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
  } finally {
    await Promise.allSettled(outcomes);
  }
  return await Promise.all(outcomes);
}
