import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  bitmapBytes,
  isAllSent,
  isSameBitmap,
  isSent,
  sentBitmap,
  unitedBitmap,
} from '../../lib/outbox/sent-bitmap.ts';
import { sampled } from '../support/samples.ts';

const flags = (length: number) => fc.array(fc.boolean(), { minLength: length, maxLength: length });
const twoOfOneLength = fc.nat(40).chain((length) => fc.tuple(flags(length), flags(length)));

describe('a bitmap of what is sent', () => {
  it('has the first operation in the lowest bit of the first byte: the form is stored', () => {
    expect([...sentBitmap([true, false, false, false, false, false, false, false, false, true])]).toEqual([
      1, 2,
    ]);
  });

  it('gives back each flag, and unites as an OR does', () => {
    fc.assert(
      fc.property(twoOfOneLength, ([one, other]) => {
        const bitmap = sentBitmap(one);
        expect(bitmap).toHaveLength(bitmapBytes(one.length));
        expect(one.map((_flag, index) => isSent(bitmap, index))).toEqual(one);
        const united = unitedBitmap(bitmap, sentBitmap(other));
        expect(united).toEqual(sentBitmap(one.map((flag, index) => flag || other[index] === true)));
        expect(isSameBitmap(united, bitmap)).toBe(one.every((flag, index) => flag || !other[index]));
        expect(isAllSent(bitmap, one.length)).toBe(one.length > 0 && !one.includes(false));
      }),
      sampled(500),
    );
  });

  it.each([
    [undefined, 1, 'some are not sent'],
    [Uint8Array.of(), 0, 'some are not sent'],
    [Uint8Array.of(255), 8, 'all are sent'],
    [Uint8Array.of(255), 9, 'some are not sent'],
    [Uint8Array.of(255), Number.NaN, 'some are not sent'],
    [Uint8Array.of(255), 2.5, 'some are not sent'],
  ])('%p says of %p operations that %s', (bitmap, count, said) => {
    const expected = said === 'all are sent';
    expect(isAllSent(bitmap, count)).toBe(expected);
  });

  it('takes nothing from one of another length, which is damaged', () => {
    expect(unitedBitmap(Uint8Array.of(1), Uint8Array.of(255, 255))).toEqual(Uint8Array.of(1));
    expect(unitedBitmap(Uint8Array.of(1), undefined)).toEqual(Uint8Array.of(1));
  });
});
