import { describe, expect, it } from '@jest/globals';
import { crashPlan, seams } from '../../../examples/order-fulfilment/seams.ts';

function crashesAt(orders: number): number[] {
  const plan = crashPlan(orders);
  return seams.map(({ name }) =>
    plan.filter((rule) => rule.name === name).reduce((total, { atCalls }) => total + atCalls.length, 0),
  );
}

describe('the plan of crashes', () => {
  it.each([
    [1, [1, 1, 1, 1, 1]],
    [20, [1, 1, 1, 1, 1]],
    [40, [2, 2, 2, 2, 2]],
    [200, [10, 10, 10, 10, 10]],
  ])('for %i orders crashes at the seams %j times', (orders, expected) => {
    expect(crashesAt(orders)).toEqual(expected);
  });

  it.each([1, 2, 20, 199, 200, 1_000])('for %i orders hits only calls that are certain to come', (orders) => {
    for (const { name, atCalls } of crashPlan(orders)) {
      expect(new Set(atCalls).size).toBe(atCalls.length);
      // Ten messages of a batch may share their sends and their mark.
      const isShared = seams.find((seam) => seam.name === name)?.isShared;
      const certainCalls = Math.ceil((orders * 3) / (isShared ? 10 : 1));
      for (const call of atCalls) {
        expect(call).toBeGreaterThanOrEqual(1);
        expect(call).toBeLessThanOrEqual(certainCalls);
      }
    }
  });
});
