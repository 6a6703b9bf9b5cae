import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { FairSemaphore } from '../../../lib/kernel/async/fair-semaphore.ts';

/** Work that waits until the test ends it, by the order in which it began. */
function workers(semaphore: FairSemaphore<string>) {
  const begun: string[] = [];
  const running: { owner: string; ending: PromiseWithResolvers<void> }[] = [];
  return {
    begun,
    ask: async (owner: string, count: number) => {
      for (let each = 0; each < count; each += 1) {
        const ending = Promise.withResolvers<void>();
        const work = () => {
          begun.push(owner);
          running.push({ owner, ending });
          return ending.promise;
        };
        semaphore.run(owner, work).catch(() => {});
      }
      await setImmediate();
    },
    end: async (owner: string, error?: Error) => {
      const index = running.findIndex((each) => each.owner === owner);
      const [work] = running.splice(index, 1);
      if (error) work?.ending.reject(error);
      else work?.ending.resolve();
      await setImmediate();
    },
    running: () => running.map(({ owner }) => owner).toSorted(),
  };
}

describe('a fair semaphore', () => {
  it('is all for one owner while no other wants any', async () => {
    const { ask, running } = workers(new FairSemaphore(3));
    await ask('a', 5);
    expect(running()).toEqual(['a', 'a', 'a']);
  });

  it('lets the owner work that has the fewest permits, so that slow work leaves the others their part', async () => {
    const { ask, end, running } = workers(new FairSemaphore(4));
    await ask('slow', 100);
    await ask('b', 10);
    await end('slow');
    await end('slow');
    expect(running()).toEqual(['b', 'b', 'slow', 'slow']);
    for (let each = 0; each < 8; each += 1) await end('b');
    expect(running()).toEqual(['b', 'b', 'slow', 'slow']);
    await end('b');
    await end('b');
    expect(running()).toEqual(['slow', 'slow', 'slow', 'slow']);
  });

  it('keeps the order of asking among owners that have as many', async () => {
    const { ask, end, begun } = workers(new FairSemaphore(1));
    await ask('a', 1);
    await ask('b', 1);
    await ask('c', 2);
    await ask('a', 1);
    for (const owner of ['a', 'b', 'c', 'c']) await end(owner);
    expect(begun).toEqual(['a', 'b', 'c', 'c', 'a']);
  });

  it('takes permits back from work that fails, whose error the caller gets', async () => {
    const semaphore = new FairSemaphore<string>(1);
    await expect(semaphore.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await semaphore.run('a', async () => 'a result')).toBe('a result');
  });

  it('lets work begin at once while it has permits', async () => {
    const { ask, end, running } = workers(new FairSemaphore(2));
    await ask('a', 2);
    await end('a');
    await end('a');
    await ask('b', 3);
    expect(running()).toEqual(['b', 'b']);
  });
});
