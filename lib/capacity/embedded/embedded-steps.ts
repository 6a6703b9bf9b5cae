import { readUnits, TRANSACTION_FACTOR, writeUnits } from '../../core/storage/capacity-units.ts';
import { dispatchSteps } from '../dispatch-step.ts';
import type { PlannedStep } from '../message-shape.ts';
import { dedupCheck, mark as markRecord, readChunks } from '../records/outbox-steps.ts';
import type { RecordMessage } from '../records/planned-record.ts';
import { leaseBytes } from '../records/saga-item-bytes.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { type DeliverySteps, stepOf, sum } from '../steps.ts';
import { discardBytes, type EmbeddedItemBytes, embeddedItemBytes } from './embedded-item-bytes.ts';

/** A shape, and what follows from it. */
interface EmbeddedMessage {
  readonly shape: WholeShape;
  readonly item: EmbeddedItemBytes;
  /** Of its record: empty unless it has one. */
  readonly record: RecordMessage;
}

/** The steps of a saga that holds its outbox: one item, which is read, committed and marked by plain calls. */
export function embeddedSteps(shape: WholeShape, sharedTable: boolean): DeliverySteps {
  const item = embeddedItemBytes(shape);
  const message: EmbeddedMessage = { shape, item, record: { shape, record: item.record, sharedTable } };
  const sent = dispatchSteps(shape);
  const open = (bytes: number) => openSaga(shape, bytes);
  // The record of a message is looked for where the item has no room for its id, and where it says so.
  const missRecord = item.isOverflowed ? dedupCheck(message.record, 0) : [];
  const findRecord = (bytes: number) => dedupCheck(message.record, bytes);
  const { record } = item;
  const duplicate = [
    ...open(item.marked),
    ...findRecord(record?.dispatchedBytes ?? 0),
    ...release(shape, item.marked),
  ];
  return {
    newMessage: [...open(item.found), ...missRecord, ...commit(message), ...sent, ...mark(message)],
    duplicate,
    redispatch:
      sent.length === 0
        ? duplicate
        : [
            ...open(item.committed),
            ...findRecord(record?.recordBytes ?? 0),
            ...readChunks(record?.chunkBytes ?? []),
            ...release(shape, item.committed),
            ...sent,
            ...mark(message),
          ],
    discard: [...missSaga(shape), commitDiscard(shape)],
    failedHandler: [
      ...open(item.found),
      ...missRecord,
      ...confirmFailure(shape, item.found),
      ...release(shape, item.found),
    ],
  };
}

/** The first read of a message may be an old one: its commit would be refused. A lease returns the item. */
function openSaga({ locking, lockAttempts: calls }: WholeShape, bytes: number): PlannedStep[] {
  if (locking !== 'pessimistic') return [load(bytes, false)];
  const common = { items: 1, table: 'saga' } as const;
  const granted = writeUnits(lockedBytes(bytes));
  const units = { wcu: calls * granted, refusedWcu: (calls - 1) * granted };
  return [stepOf({ ...common, ...units, step: 'lock', operation: 'UpdateItem', calls })];
}

function load(bytes: number, isConsistent: boolean): PlannedStep {
  const rcu = readUnits(bytes, isConsistent);
  return stepOf({ step: 'load', operation: 'BatchGetItem', items: 1, rcu, table: 'saga' });
}

/**
 * What an eventually consistent read does not find is looked for once more. A lease on what is not there is
 * refused, which takes a unit that no engine reports.
 */
function missSaga(shape: WholeShape): PlannedStep[] {
  if (shape.locking !== 'pessimistic') return [load(0, false), load(0, true)];
  const units = { wcu: writeUnits(0), refusedWcu: writeUnits(0) };
  return [stepOf({ step: 'lock', operation: 'UpdateItem', items: 1, ...units, table: 'saga' })];
}

function commit({ shape, item }: EmbeddedMessage): PlannedStep[] {
  const { found, committed, record } = item;
  const before = shape.locking === 'pessimistic' ? lockedBytes(found) : found;
  const units = writeUnits(Math.max(before, committed));
  const common = { step: 'commit', items: 1, table: 'saga' } as const;
  if (record === undefined) return [stepOf({ ...common, operation: 'UpdateItem', wcu: units })];
  const operation = 'TransactWriteItems';
  const outboxUnits = [record.recordBytes, ...record.chunkBytes].map(writeUnits);
  return [
    stepOf({ ...common, operation, wcu: TRANSACTION_FACTOR * units }),
    stepOf({
      ...{ step: 'commit', operation, calls: 0, items: outboxUnits.length, table: 'outbox' },
      wcu: TRANSACTION_FACTOR * sum(outboxUnits, (each) => each),
    }),
  ];
}

/** Only of what is sent: nothing else is pending. */
function mark({ shape: { outgoing }, item, record }: EmbeddedMessage): PlannedStep[] {
  if (outgoing === 0) return [];
  if (item.record !== undefined) return markRecord(record);
  const wcu = writeUnits(Math.max(item.committed, item.marked));
  return [stepOf({ step: 'mark', operation: 'UpdateItem', items: 1, wcu, table: 'saga' })];
}

/** The id in an item of its own. */
function commitDiscard(shape: WholeShape): PlannedStep {
  const wcu = writeUnits(discardBytes(shape));
  return stepOf({ step: 'commit', operation: 'UpdateItem', items: 1, wcu, table: 'saga' });
}

/** Whether what a handler failed on was the latest version. */
function confirmFailure({ locking }: WholeShape, bytes: number): PlannedStep[] {
  return locking === 'pessimistic' ? [] : [load(bytes, true)];
}

/** What another write than the commit gives the lease back with. */
function release({ locking }: WholeShape, bytes: number): PlannedStep[] {
  if (locking !== 'pessimistic') return [];
  const operation = bytes === 0 ? 'DeleteItem' : 'UpdateItem';
  return [
    stepOf({ step: 'release', operation, items: 1, wcu: writeUnits(lockedBytes(bytes)), table: 'saga' }),
  ];
}

/** A lock on a saga that is not there is an item of a key and a lease. */
function lockedBytes(bytes: number): number {
  return bytes === 0 ? 0 : bytes + leaseBytes;
}
