import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  awaited,
  hasArrived,
  noArrivals,
  withArrival,
} from '../../../lib/patterns/scatter-gather/arrivals.ts';
import { sampled } from '../../support/samples.ts';

describe('arrivals', () => {
  it.each([
    [1, 1],
    [8, 1],
    [9, 2],
    [1000, 125],
  ])('of %i requests take %i bytes', (count, bytes) => {
    const arrivals = noArrivals(count);
    expect(arrivals).toHaveLength(bytes);
    expect(awaited(arrivals, count)).toEqual(Array.from({ length: count }, (_, index) => index));
  });

  it('are those that were put in, in any order and however often, and no others', () => {
    const arrived = fc.integer({ min: 1, max: 70 }).chain((count) =>
      fc.record({
        count: fc.constant(count),
        indexes: fc.array(fc.integer({ min: 0, max: count - 1 }), { maxLength: 100 }),
      }),
    );
    fc.assert(
      fc.property(arrived, ({ count, indexes }) => {
        const arrivals = indexes.reduce(withArrival, noArrivals(count));
        const all = Array.from({ length: count }, (_, index) => index);
        expect(all.filter((index) => hasArrived(arrivals, index))).toEqual(
          all.filter((index) => indexes.includes(index)),
        );
        expect(awaited(arrivals, count)).toEqual(all.filter((index) => !indexes.includes(index)));
      }),
      sampled(1000),
    );
  });

  it('leave those before as they are', () => {
    const before = noArrivals(3);
    withArrival(before, 1);
    expect(hasArrived(before, 1)).toBe(false);
  });
});
