import { describe, expect, it } from '@jest/globals';
import { wholeNumber } from '../../bench/whole-number.ts';

describe('an option that takes a whole number', () => {
  it.each([
    ['1', 1],
    ['10', 10],
    ['007', 7],
  ])('takes %s', (text, value) => {
    expect(wholeNumber('workers', text, [1, 10])).toBe(value);
  });

  it('takes one below zero where its range has one', () => {
    expect(wholeNumber('seed', '-5', [-5, 5])).toBe(-5);
  });

  it.each(['0', '11', '-1', '1.5', '1e1', '0x1', ' 1', '', 'x'])(
    'takes no %j, and tells what it takes',
    (text) => {
      expect(() => wholeNumber('workers', text, [1, 10])).toThrow(
        `--workers takes a whole number from 1 to 10, not '${text}'`,
      );
    },
  );
});
