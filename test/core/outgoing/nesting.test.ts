import { describe, expect, it } from '@jest/globals';
import { isNestedDeeper } from '../../../lib/core/outgoing/nesting.ts';

const nested = (depth: number) => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);

describe('how deep a value is nested', () => {
  it.each([
    [1, 0, false],
    ['text', 0, false],
    [{}, 0, true],
    [{}, 1, false],
    [{ a: 1, b: [1] }, 1, true],
    [{ a: 1, b: [1] }, 2, false],
    [new Uint8Array(3), 0, false],
  ])('%p is deeper than %d levels: %s', (value, levels, isDeeper) => {
    expect(isNestedDeeper(value, levels)).toBe(isDeeper);
  });

  it('is told of what is deeper than any recursion goes', () => {
    expect(isNestedDeeper(nested(500_000), 100)).toBe(true);
  });
});
