import { describe, expect, it } from '@jest/globals';
import { settleAll, settled } from '../../../lib/kernel/async/settle.ts';

describe('settleAll', () => {
  it('gives every result in its place', async () => {
    const [text, number, plain] = await settleAll([Promise.resolve('a'), Promise.resolve(1), true]);
    expect([text, number, plain]).toEqual(['a', 1, true]);
  });

  it('waits for all before it throws', async () => {
    const { promise: slow, resolve } = Promise.withResolvers<void>();
    const order: string[] = [];
    const settling = settleAll([Promise.reject(new Error('at once')), slow.then(() => order.push('slow'))]);
    const thrown = settling.catch((error: Error) => order.push(error.message));
    await Promise.resolve();
    expect(order).toEqual([]);
    resolve();
    await thrown;
    expect(order).toEqual(['slow', 'at once']);
  });

  it('throws the first error in order, and leaves none unhandled', async () => {
    const { promise: first, reject } = Promise.withResolvers<void>();
    const settling = settleAll([
      first,
      Promise.reject(new Error('second')),
      Promise.reject(new Error('third')),
    ]);
    reject(new Error('first'));
    await expect(settling).rejects.toThrow('first');
  });
});

describe('settled', () => {
  it('tells of one promise what Promise.allSettled tells of several', async () => {
    const promises = [Promise.resolve('a'), Promise.reject(new Error('b'))];
    expect(await Promise.all(promises.map(settled))).toEqual(await Promise.allSettled(promises));
  });
});
