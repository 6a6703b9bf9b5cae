import { describe, expect, it } from '@jest/globals';
import { median } from './median.ts';

describe('the median', () => {
  it.each([
    [[3], 3],
    [[9, 1, 2], 2],
    [[10, 9, 1, 2], 5.5],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('leaves the values in their order', () => {
    const values = [9, 1, 2];
    median(values);
    expect(values).toEqual([9, 1, 2]);
  });

  it('of no values is none', () => {
    expect(() => median([])).toThrow('No values have no median');
  });
});
