import { WriteStream } from 'node:tty';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { planMessage } from '../../../lib/capacity/index.ts';
import { partLengths, unitBars, wantsColors } from '../../../lib/cli/plan/unit-bar.ts';
import { sampled } from '../../support/samples.ts';

describe('a bar of units', () => {
  it.each<[number[], number, number, number[]]>([
    [[4, 0, 1], 10, 5, [8, 0, 2]],
    [[4, 0, 1], 10, 10, [4, 0, 1]],
    [[4, 0, 1], 10, 0, [0, 0, 0]],
    [[1000, 1, 1], 10, 1002, [8, 1, 1]],
  ])('has parts of %j on %i characters for %i, small ones at the cost of the longest', (...given) => {
    const [values, width, whole, lengths] = given;
    expect(partLengths(values, width, whole)).toEqual(lengths);
  });

  it('is never longer than its width, and has no part that is not there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 6, max: 80 }),
        (values, width) => {
          const total = values.reduce((sum, value) => sum + value, 0);
          const lengths = partLengths(values, width, total);
          for (const [index, length] of lengths.entries()) {
            expect(length > 0).toBe(total > 0 && (values[index] ?? 0) / total > 0);
          }
          expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(total > 0 ? width : 0);
        },
      ),
      sampled(100),
    );
  });

  it('is coloured part by part', () => {
    const [, wcu = '', legend] = unitBars(planMessage({ sagaBytes: 1000, outgoing: 1 }), true);
    for (const part of ['[\u001b[32m#', '#\u001b[39m\u001b[35m=', '=\u001b[39m]'])
      expect(wcu).toContain(part);
    expect(legend).toContain('\u001b[36m.\u001b[39m dedup check');
  });
});

it.each([
  [true, { TERM: 'xterm' }, true],
  [true, { TERM: 'xterm', NO_COLOR: '' }, true],
  [true, { TERM: 'xterm', NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, { TERM: 'xterm' }, false],
])('colours are for terminals that want them: %s, %j', (isTTY, environment, wanted) => {
  const { hasColors, getColorDepth } = WriteStream.prototype;
  expect(wantsColors(isTTY ? { isTTY, hasColors, getColorDepth } : {}, environment)).toBe(wanted);
});
