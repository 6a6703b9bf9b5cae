import { describe, expect, it } from '@jest/globals';
import { WatchedPromise } from '../../../lib/kernel/async/watched-promise.ts';

/** Longer than any chain of promises that are settled. */
const rest = () => new Promise((resolve) => setImmediate(resolve));

describe('a watched promise', () => {
  it.each<[string, (promise: Promise<number>) => unknown]>([
    ['await', async (promise) => await promise],
    ['then', (promise) => promise.then(() => {})],
    ['catch', (promise) => promise.catch(() => {})],
    ['finally', (promise) => promise.finally(() => {})],
    ['Promise.all', (promise) => Promise.all([promise])],
    ['the return of an async function', (promise) => (async () => promise)()],
  ])('was awaited, once it is settled, by %s', async (_name, wait) => {
    let resolve: (value: number) => void = () => {};
    const watched = WatchedPromise.of(new Promise<number>((settle) => (resolve = settle)));
    wait(watched);
    await rest();
    expect(watched.wasAwaited).toBe(false);
    resolve(1);
    await rest();
    expect(watched.wasAwaited).toBe(true);
  });

  it('was awaited when the first of those who wait goes on', async () => {
    const watched = WatchedPromise.of(Promise.resolve(7));
    expect([await watched, watched.wasAwaited]).toEqual([7, true]);
  });

  it('was not awaited by nobody, settled or not', async () => {
    const watched = WatchedPromise.of(Promise.resolve(1));
    await rest();
    expect(watched.wasAwaited).toBe(false);
  });

  it('ends no process if it is refused and nobody waits, and tells those who do', async () => {
    const refused = WatchedPromise.of(Promise.reject(new Error('no')));
    await rest();
    await expect(refused).rejects.toThrow('no');
    expect(refused.wasAwaited).toBe(true);
  });

  it('makes plain promises of what waits for it', () => {
    const waiting = WatchedPromise.of(Promise.resolve(1)).then(() => {});
    expect(waiting).not.toBeInstanceOf(WatchedPromise);
  });
});
