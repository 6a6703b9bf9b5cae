import { describe, expect, it } from '@jest/globals';
import { linearScale, ticksUpTo } from '../../../../lib/cli/plan/charts/scale.ts';

describe('the ticks of an axis', () => {
  it.each([
    [5, [0, 1, 2, 3, 4, 5]],
    [14, [0, 5, 10, 15]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [123, [0, 50, 100, 150]],
  ])('up to %d are round', (maximum, ticks) => {
    expect(ticksUpTo(maximum)).toEqual(ticks);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'up to %d are those of an empty chart',
    (maximum) => {
      expect(ticksUpTo(maximum)).toEqual([0, 1]);
    },
  );
});

describe('a linear scale', () => {
  it('puts values between two ends', () => {
    const scale = linearScale([0, 10], [100, 300]);
    expect([0, 5, 10].map(scale)).toEqual([100, 200, 300]);
  });

  it('puts everything at one end when there is no range', () => {
    expect(linearScale([4, 4], [100, 300])(4)).toBe(100);
  });
});
