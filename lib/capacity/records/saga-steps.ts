import { readUnits, writeUnits } from '../../core/storage/capacity-units.ts';
import type { PlannedStep } from '../message-shape.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { stepOf } from '../steps.ts';
import { readPages } from './outbox-steps.ts';
import type { RecordMessage } from './planned-record.ts';
import { lockedBytes, sagaIsThere, writesSaga } from './saga-item-bytes.ts';

export function openSaga(message: RecordMessage): PlannedStep[] {
  const { shape } = message;
  if (shape.sagaBytes === 0) return [];
  return [shape.locking === 'pessimistic' ? lock(shape) : load(message, sagaIsThere(shape))];
}

/** For a message that was committed before: what became of the saga is read, and not looked at. */
export function loadAgain(message: RecordMessage): PlannedStep[] {
  const { sagaBytes, locking, sagaChange } = message.shape;
  if (sagaBytes === 0 || locking === 'pessimistic') return [];
  return sagaChange === 'complete' ? missSaga(message) : [load(message, true)];
}

/**
 * A look for a saga that is not there. A lease on nothing is refused, which takes a unit that no engine
 * reports.
 */
export function missSaga(message: RecordMessage): PlannedStep[] {
  const { sagaBytes, locking } = message.shape;
  if (sagaBytes === 0) return [];
  if (locking === 'pessimistic') {
    const units = { wcu: writeUnits(0), refusedWcu: writeUnits(0) };
    return [stepOf({ step: 'lock', operation: 'UpdateItem', items: 1, ...units, table: 'saga' })];
  }
  // What an eventually consistent read does not find is looked for once more.
  return [load(message, false), ...(locking === 'eventual' ? [consistentLoad(0)] : [])];
}

/** What was appended under one key. */
export function collect({ shape: { collected, contributionBytes } }: RecordMessage): PlannedStep[] {
  return readPages(Array<number>(collected).fill(contributionBytes), { step: 'collect', table: 'saga' });
}

/** What was read with eventual consistency, and is not written, is read once more before the commit. */
export function confirm({ shape }: RecordMessage): PlannedStep[] {
  if (shape.sagaBytes === 0 || shape.locking !== 'eventual' || writesSaga(shape)) return [];
  return [consistentLoad(shape.sagaBytes)];
}

/** Whether what a handler failed on was the latest version. */
export function confirmFailure({ shape }: RecordMessage): PlannedStep[] {
  if (shape.sagaBytes === 0 || shape.locking !== 'eventual') return [];
  return [consistentLoad(sagaIsThere(shape) ? shape.sagaBytes : 0)];
}

function consistentLoad(bytes: number): PlannedStep {
  const rcu = readUnits(bytes, true);
  return stepOf({ step: 'load', operation: 'BatchGetItem', items: 1, rcu, table: 'saga' });
}

/** What another write than the commit gives the lease back with. */
export function release(shape: WholeShape): PlannedStep[] {
  if (shape.sagaBytes === 0 || shape.locking !== 'pessimistic') return [];
  const operation = sagaIsThere(shape) ? 'UpdateItem' : 'DeleteItem';
  return [
    stepOf({ step: 'release', operation, items: 1, wcu: writeUnits(lockedBytes(shape)), table: 'saga' }),
  ];
}

/** Beside the dedup check, in the same call. */
function load({ shape, record, sharedTable }: RecordMessage, isThere: boolean): PlannedStep {
  const isConsistent = shape.locking !== 'eventual';
  const sharesCall = record !== undefined && (isConsistent || !sharedTable);
  const calls = sharesCall ? 0 : 1;
  const rcu = readUnits(isThere ? shape.sagaBytes : 0, isConsistent);
  return stepOf({ step: 'load', operation: 'BatchGetItem', calls, items: 1, rcu, table: 'saga' });
}

/** A refused attempt meets the lease of another one: it takes as much as the one that is granted. */
function lock(shape: WholeShape): PlannedStep {
  const { lockAttempts: calls } = shape;
  const granted = writeUnits(lockedBytes(shape));
  const units = { wcu: calls * granted, refusedWcu: (calls - 1) * granted };
  return stepOf({ step: 'lock', operation: 'UpdateItem', calls, items: 1, ...units, table: 'saga' });
}
