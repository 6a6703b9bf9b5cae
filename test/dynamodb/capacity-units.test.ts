import { describe, expect, it } from '@jest/globals';
import { itemReadUnits, itemWriteUnits, reportedUnits } from '../../lib/dynamodb/capacity-units.ts';

/** The name of its attribute takes one byte. */
const itemOf = (bytes: number) => ({ F: { S: 'f'.repeat(bytes - 1) } });

describe('the units of an item', () => {
  it.each([
    [undefined, true, 1],
    [undefined, false, 0.5],
    [itemOf(4_096), true, 1],
    [itemOf(4_097), true, 2],
    [itemOf(4_097), false, 1],
  ])('that is read', (item, isConsistent, units) => {
    expect(itemReadUnits(item, isConsistent)).toBe(units);
  });

  it.each([
    [undefined, undefined, 1],
    [undefined, itemOf(1_024), 1],
    [itemOf(1_025), undefined, 2],
    [itemOf(100), itemOf(2_049), 3],
    [itemOf(2_049), itemOf(100), 3],
  ])('that is written follow from the larger image', (before, after, units) => {
    expect(itemWriteUnits(before, after)).toBe(units);
  });
});

describe('the units that an engine reports of a write', () => {
  it.each([
    [{ CapacityUnits: 6 }, 0, 6],
    [{ CapacityUnits: 6, WriteCapacityUnits: 6 }, 0, 6],
    [{ CapacityUnits: 4, ReadCapacityUnits: 4 }, 4, 0],
    [{}, 0, 0],
  ])('%j', (reported, readUnits, writeUnits) => {
    expect(reportedUnits(reported)).toEqual({ readUnits, writeUnits });
  });
});
