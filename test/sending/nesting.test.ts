import { describe, expect, it } from '@jest/globals';
import { isNestedDeeper } from '../../lib/sending/nesting.ts';

const nested = (depth: number) => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);

describe('how deep a value is nested', () => {
  it.each([
    [1, 0, 'not deeper'],
    ['text', 0, 'not deeper'],
    [{}, 0, 'deeper'],
    [{}, 1, 'not deeper'],
    [{ a: 1, b: [1] }, 1, 'deeper'],
    [{ a: 1, b: [1] }, 2, 'not deeper'],
    [new Uint8Array(3), 0, 'not deeper'],
  ])('%p, beside %d levels, is %s', (value, levels, result) => {
    const isDeeper = result === 'deeper';
    expect(isNestedDeeper(value, levels)).toBe(isDeeper);
  });

  it('is told of what is deeper than any recursion goes', () => {
    expect(isNestedDeeper(nested(500_000), 100)).toBe(true);
  });
});
