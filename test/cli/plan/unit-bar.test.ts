import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partLengths, unitBar } from '../../../lib/cli/plan/unit-bar.ts';

const plain = (text: string) => text;

describe('a bar of units', () => {
  it('is stacked of its parts, and filled up with spaces', () => {
    const parts = [
      { label: 'commit', value: 4, character: '#', paint: plain },
      { label: 'load', value: 0, character: '-', paint: plain },
      { label: 'mark', value: 1, character: '=', paint: plain },
    ];
    expect(unitBar(parts, 10, 5)).toBe('[########==]');
    expect(unitBar(parts, 10, 10)).toBe('[####=     ]');
    expect(unitBar(parts, 10, 0)).toBe('[          ]');
  });

  it('paints each part', () => {
    const paint = (text: string) => `<${text}>`;
    expect(unitBar([{ label: 'commit', value: 1, character: '#', paint }], 3, 1)).toBe('[<###>]');
  });

  it('shows small parts, at the cost of the largest', () => {
    expect(partLengths([1000, 1, 1], 10, 1002)).toEqual([8, 1, 1]);
    expect(partLengths([1, 1, 1], 2, 3)).toHaveLength(3);
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
    );
  });
});
