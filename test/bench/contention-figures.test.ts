import { describe, expect, it } from '@jest/globals';
import { CallCounter, readUnitsOf } from '../../bench/contention/call-counter.ts';
import { roundOf } from '../../bench/contention/measure.ts';

const key = (name: string) => ({ PK: { S: name }, SK: { S: 'x' } });
const itemOf = (name: string, bytes: number) => ({
  ...key(name),
  // "PK", its value, "SK" and its value, and the name of this one.
  a: { S: 'x'.repeat(bytes - 2 - name.length - 2 - 1 - 1) },
});
const read = (ConsistentRead: boolean, found: number) => ({
  operation: 'BatchGetItem',
  input: { RequestItems: { orders: { Keys: [key('one'), key('none')], ConsistentRead } } },
  output: { Responses: { orders: [itemOf('one', found)] } },
});

describe('the read units of a call', () => {
  it.each([
    [4096, true, 2],
    [4097, true, 3],
    [4096, false, 1],
  ])(
    'of an item of %i bytes and of one that is not there, consistent: %s, are %d',
    (bytes, consistent, units) => {
      expect(readUnitsOf(read(consistent, bytes))).toBe(units);
    },
  );

  it('are none of a write, and of a read that failed', () => {
    expect(readUnitsOf({ operation: 'PutItem', input: { Item: key('one') }, output: {} })).toBe(0);
    expect(readUnitsOf({ ...read(true, 100), output: undefined, error: new Error('no connection') })).toBe(0);
  });

  it('are added up', () => {
    const counter = new CallCounter();
    counter.add(read(true, 4096));
    counter.add(read(false, 4096));
    expect(counter.readUnits).toBe(3);
  });
});

describe('the figures of a round', () => {
  it('tell those that were applied once from those that were applied twice', () => {
    const figures = { messages: 10, applied: 9, appliedTwice: 2, deadLettered: 1, conflicts: 3 };
    const others = { refusedLockAttempts: 0, rcuPerMessage: 2, wcuPerMessage: 4, seconds: 1 };
    expect(roundOf({ ...figures, ...others })).toEqual({
      appliedOnce: 7,
      appliedTwice: 2,
      deadLettered: 1,
      conflicts: 3,
      ...others,
    });
  });
});
