import { describe, expect, it } from '@jest/globals';
import { heightOf, lastPath, sharesOf } from '../../../lib/patterns/scatter-gather/tree.ts';

describe('a node with requests', () => {
  it.each([
    [1, 32, 0],
    [32, 32, 0],
    [33, 32, 2],
    [64, 32, 2],
    [65, 32, 3],
    [1000, 32, 32],
    [10_000, 32, 32],
    [1000, 2, 2],
    [1000, 1000, 0],
  ])('that are %i splits them by width %i into %i parts', (count, width, parts) => {
    const shares = sharesOf({ first: 7, count }, width);
    expect(shares).toHaveLength(parts);
    if (parts === 0) return;
    expect(shares[0]?.first).toBe(7);
    for (const [at, { first, count: own }] of shares.entries()) {
      expect(shares[at + 1]?.first ?? 7 + count).toBe(first + own);
    }
    const counts = shares.map((share) => share.count);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it.each([
    [10_000, 1000],
    [1000, 32],
    [1000, 2],
    [999, 11],
    [122, 11],
    [5, 5],
  ])('that are %i, by width %i, have no path that is longer than the last one', (total, width) => {
    const paths = (count: number): string[] => {
      const shares = sharesOf({ first: 0, count }, width);
      if (shares.length === 0) return [''];
      return shares.flatMap((share, part) => paths(share.count).map((path) => `${part}.${path}`));
    };
    const longest = Math.max(...paths(total).map((path) => path.length));
    expect(
      lastPath(total, width)
        .map((part) => `${part}.`)
        .join(''),
    ).toHaveLength(longest);
  });

  it.each([
    [32, 32, 0],
    [33, 32, 1],
    [1024, 32, 1],
    [1025, 32, 2],
    [1000, 2, 9],
  ])('that are %i has, with width %i, %i levels below it', (count, width, height) => {
    expect(heightOf(count, width)).toBe(height);
  });
});
