import { expect, it } from '@jest/globals';
import { Semaphore } from '../../../lib/core/async/semaphore.ts';

it('lets so much work go on at a time, and the rest in order, also after a failure', async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
  const runs = ends.map(({ promise }, index) =>
    semaphore.run(async () => {
      started.push(index);
      return await promise;
    }),
  );
  expect(started).toEqual([0, 1]);

  ends[1]?.reject(new Error('refused'));
  await expect(runs[1]).rejects.toThrow('refused');
  expect(started).toEqual([0, 1, 2]);

  ends[0]?.resolve(0);
  expect(await runs[0]).toBe(0);
  expect(started).toEqual([0, 1, 2, 3]);

  for (const { resolve } of ends) resolve(9);
  expect(await Promise.all([runs[2], runs[3]])).toEqual([9, 9]);
});
