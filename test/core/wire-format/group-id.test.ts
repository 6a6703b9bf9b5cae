import { describe, expect, it } from '@jest/globals';
import { isGroupId } from '../../../lib/core/wire-format/group-id.ts';

describe('a FIFO group id', () => {
  it.each([
    ['a', true],
    ['~!"#/@', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['', false],
    ['a b', false],
    ['a\n', false],
    ['é', false],
    [null, false],
    [7, false],
    [['a'], false],
  ])('can be %j: %s', (value, expected) => {
    expect(isGroupId(value)).toBe(expected);
  });
});
