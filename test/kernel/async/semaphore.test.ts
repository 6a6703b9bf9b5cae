import { expect, it } from '@jest/globals';
import { Semaphore } from '../../../lib/kernel/async/semaphore.ts';

it('lets so much work go on at a time, and the rest in order', async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  const start = async (index: number) => {
    await semaphore.acquire();
    started.push(index);
  };
  const starts = [0, 1, 2, 3].map(start);
  await Promise.all(starts.slice(0, 2));
  expect(started).toEqual([0, 1]);

  semaphore.release();
  await starts[2];
  expect(started).toEqual([0, 1, 2]);

  semaphore.release();
  await starts[3];
  expect(started).toEqual([0, 1, 2, 3]);
});

it('hands a permit over: who comes then does not overtake', async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire();
  const first = semaphore.acquire();
  semaphore.release();
  expect(semaphore.acquire()).toBeInstanceOf(Promise);
  await first;
});

it('has a permit again that nobody waited for', async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire();
  semaphore.release();
  expect(semaphore.acquire()).toBeUndefined();
});
