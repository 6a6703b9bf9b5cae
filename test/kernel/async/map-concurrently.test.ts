import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { mapConcurrently } from '../../../lib/kernel/async/map-concurrently.ts';

async function* inTurns<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const value of values) {
    await setImmediate();
    yield value;
  }
}

/** Maps that wait until the test ends them. */
function controlled() {
  const running = new Map<number, PromiseWithResolvers<string>>();
  let most = 0;
  return {
    map: (input: number) => {
      const ending = Promise.withResolvers<string>();
      running.set(input, ending);
      most = Math.max(most, running.size);
      return ending.promise.finally(() => running.delete(input));
    },
    running: () => [...running.keys()],
    most: () => most,
    end: async (input: number) => {
      running.get(input)?.resolve(`result ${input}`);
      await setImmediate();
    },
    fail: async (input: number, error: Error) => {
      running.get(input)?.reject(error);
      await setImmediate();
    },
  };
}

describe('mapConcurrently', () => {
  it.each([
    ['an array', [1, 2, 3]],
    ['an async generator', inTurns([1, 2, 3])],
    ['nothing', []],
  ])('keeps the order of %s', async (_name, inputs) => {
    const results = await mapConcurrently(inputs, 2, async (input) => {
      for (let turn = input; turn < 4; turn += 1) await setImmediate();
      return input * 10;
    });
    expect(results).toEqual([10, 20, 30].slice(0, results.length));
    expect(results).toHaveLength(Array.isArray(inputs) ? inputs.length : 3);
  });

  it('has as many under way as it may, and takes another input when one ends', async () => {
    const { map, running, most, end } = controlled();
    const all = mapConcurrently([1, 2, 3, 4], 2, map);
    await setImmediate();
    expect(running()).toEqual([1, 2]);
    await end(2);
    expect(running()).toEqual([1, 3]);
    for (const input of [1, 3, 4]) await end(input);
    expect(await all).toEqual(['result 1', 'result 2', 'result 3', 'result 4']);
    expect(most()).toBe(2);
  });

  it('has all under way when it may be more than there are', async () => {
    const { map, running, end } = controlled();
    const all = mapConcurrently([1, 2, 3], Number.MAX_SAFE_INTEGER, map);
    await setImmediate();
    expect(running()).toEqual([1, 2, 3]);
    for (const input of [1, 2, 3]) await end(input);
    await all;
  });

  it('maps every input, and ends with the first error in their order', async () => {
    const { map, running, end, fail } = controlled();
    let ended = false;
    const all = mapConcurrently([1, 2, 3], 2, map).finally(() => {
      ended = true;
    });
    const refused = expect(all).rejects.toThrow('of input 1');
    await setImmediate();
    await fail(2, new Error('of input 2'));
    expect(running()).toEqual([1, 3]);
    await fail(1, new Error('of input 1'));
    expect(ended).toBe(false);
    await end(3);
    await refused;
  });

  it('maps every input, too, when the function throws at once', async () => {
    const mapped: number[] = [];
    const all = mapConcurrently([1, 2, 3], 1, (input): Promise<void> => {
      mapped.push(input);
      if (input === 2) throw new Error('of input 2');
      return Promise.resolve();
    });
    await expect(all).rejects.toThrow('of input 2');
    expect(mapped).toEqual([1, 2, 3]);
  });

  it('waits for what is under way when there are no more inputs because of an error', async () => {
    const { map, running, end } = controlled();
    const failing = async function* () {
      yield 1;
      throw new Error('of the inputs');
    };
    let ended = false;
    const all = mapConcurrently(failing(), 2, map).finally(() => {
      ended = true;
    });
    const refused = expect(all).rejects.toThrow('of the inputs');
    await setImmediate();
    expect([running(), ended]).toEqual([[1], false]);
    await end(1);
    await refused;
  });
});
