import { describe, expect, it } from '@jest/globals';
import { OrderBatches } from './order-batches.ts';

/** All orders of each batch, by app. */
function batchesOf(orders: number, count: number) {
  const batches = new OrderBatches(orders, count);
  return Array.from({ length: count }, () => batches.next());
}

describe('the batches of orders', () => {
  it.each([
    [20, 3],
    [150, 7],
    [11, 7],
  ])('of %i orders in %i hold each once, a third of them for the sample', (orders, count) => {
    const all = batchesOf(orders, count).flatMap(({ first, waiting }) => [first, waiting]);
    const sample = all.flatMap((some) => some.sample);
    const proof = all.flatMap((some) => some.proof);
    expect(sample).toHaveLength(Math.floor(orders / 3));
    expect(new Set([...sample, ...proof]).size).toBe(orders);
  });

  it('have an order of the proof that waits for each update, also in the smallest run', () => {
    for (const [orders, count] of [
      [4, 3],
      [10, 7],
    ] as const)
      for (const { waiting } of batchesOf(orders, count)) expect(waiting.proof).not.toHaveLength(0);
  });
});
