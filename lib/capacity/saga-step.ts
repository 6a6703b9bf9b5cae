import { readUnits, writeUnits } from '../dynamodb/capacity-units.ts';
import { leaseAttribute } from '../dynamodb/item-attributes.ts';
import { itemSize } from '../dynamodb/item-size.ts';
import type { PlannedStep } from './message-shape.ts';
import { stepOf } from './steps.ts';

/**
 * Bytes of the attribute that a saga has while it is locked: an owner of 36 characters, and a time in milliseconds.
 */
export const leaseBytes = itemSize({
  lease: leaseAttribute({ owner: '0'.repeat(36), until: new Date(1_767_225_599_999) }),
});

/** Bytes of an item under a lease. A lease on a saga that is not there is an item of a key and a lease: under 1 KB. */
export function leasedBytes(bytes: number): number {
  return bytes === 0 ? 0 : bytes + leaseBytes;
}

/**
 * @param bytes of the saga's item, 0 for one that is not there
 * @param calls 0 for a load that shares the call of another read
 */
export function loadStep(bytes: number, isConsistent: boolean, calls = 1): PlannedStep {
  const rcu = readUnits(bytes, isConsistent);
  return stepOf({ step: 'load', operation: 'BatchGetItem', calls, items: 1, rcu, table: 'saga' });
}

/** A refused attempt meets the lease of another one: it takes as much as the one that is granted. */
export function lockStep(bytes: number, attempts: number): PlannedStep {
  const granted = writeUnits(leasedBytes(bytes));
  const units = { wcu: attempts * granted, refusedWcu: (attempts - 1) * granted };
  return stepOf({
    step: 'lock',
    operation: 'UpdateItem',
    calls: attempts,
    items: 1,
    ...units,
    table: 'saga',
  });
}

/** A lease on a saga that has to be there and is not. It is refused, which takes a unit that no engine reports. */
export function missedLockStep(): PlannedStep {
  const units = { wcu: writeUnits(0), refusedWcu: writeUnits(0) };
  return stepOf({ step: 'lock', operation: 'UpdateItem', items: 1, ...units, table: 'saga' });
}

/** What another write than the commit gives the lease back with. */
export function releaseStep(bytes: number): PlannedStep {
  const operation = bytes === 0 ? 'DeleteItem' : 'UpdateItem';
  return stepOf({ step: 'release', operation, items: 1, wcu: writeUnits(leasedBytes(bytes)), table: 'saga' });
}
