import { describe, expect, it } from '@jest/globals';
import { bundleSizesDiffer } from './bundle-sizes.ts';
import { differingLines } from './differing-lines.ts';

describe('recorded lines', () => {
  it.each([
    ['a\nb\n', 'a\nb\n', []],
    ['a\nb\n', 'a\nc\n', ['- b', '+ c']],
    ['a\na\n', 'a\n', ['- a']],
    ['a\nb\n', 'b\na\n', ['the order of its lines']],
    ['', 'a\n', ['+ a']],
  ])('%j and those of now, %j, differ by %j', (recorded, now, expected) => {
    expect(differingLines(recorded, now)).toEqual(expected);
  });

  it('are cut where they are long or many', () => {
    const many = Array.from({ length: 41 }, (_, index) => `${index}`.repeat(500)).join('\n');
    const lines = differingLines('x', many);
    expect(lines).toHaveLength(41);
    expect(lines.slice(0, 2)).toEqual(['- x', `+ ${'0'.repeat(398)} …`]);
    expect(lines.at(-1)).toBe('and 2 more lines');
  });
});

describe('recorded sizes of bundles', () => {
  const sizes = (bytes: number, gzippedBytes = 1000) => JSON.stringify({ sagabox: { bytes, gzippedBytes } });

  it.each([
    [sizes(10_100), 'held'],
    [sizes(10_101), 'not held'],
    [sizes(9_000), 'held'],
    [sizes(10_000, 1_010), 'held'],
    [sizes(10_000, 1_011), 'not held'],
  ])('to within a hundredth, by %j, are %s', (now, result) => {
    const isHeld = result === 'held';
    const found = bundleSizesDiffer(sizes(10_000), now);
    expect(found).toHaveLength(isHeld ? 0 : 1);
  });

  it('have each bundle', () => {
    expect(bundleSizesDiffer('', sizes(1))).toEqual(['sagabox is not recorded']);
    expect(bundleSizesDiffer(sizes(1), '{}')).toEqual(['sagabox is recorded, and not made any more']);
  });
});
