import { writeUnits } from '../../dynamodb/capacity-units.ts';
import { commitStep, recordWrites } from '../commit-step.ts';
import { dispatchSteps } from '../dispatch-step.ts';
import type { PlannedStep } from '../message-shape.ts';
import { dedupCheck, mark as markRecord, readChunks } from '../records/outbox-steps.ts';
import type { RecordMessage } from '../records/planned-record.ts';
import { leasedBytes, loadStep, lockStep, missedLockStep, releaseStep } from '../saga-step.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { type DeliverySteps, stepOf } from '../steps.ts';
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
    open(item.marked),
    ...findRecord(record?.dispatchedBytes ?? 0),
    ...release(shape, item.marked),
  ];
  return {
    newMessage: [open(item.found), ...missRecord, ...commit(message), ...sent, ...mark(message)],
    duplicate,
    redispatch:
      sent.length === 0
        ? duplicate
        : [
            open(item.committed),
            ...findRecord(record?.recordBytes ?? 0),
            ...readChunks(record?.chunkBytes ?? []),
            ...release(shape, item.committed),
            ...sent,
            ...mark(message),
          ],
    discard: [...missSaga(shape), ...commitDiscard(shape)],
    failedHandler: [
      open(item.found),
      ...missRecord,
      ...confirmFailure(shape, item.found),
      ...release(shape, item.found),
    ],
  };
}

/** The first read of a message may be an old one: its commit would be refused. A lease returns the item. */
function openSaga({ locking, lockAttempts }: WholeShape, bytes: number): PlannedStep {
  return locking === 'pessimistic' ? lockStep(bytes, lockAttempts) : loadStep(bytes, false);
}

/** What an eventually consistent read does not find is looked for once more. */
function missSaga({ locking }: WholeShape): PlannedStep[] {
  return locking === 'pessimistic' ? [missedLockStep()] : [loadStep(0, false), loadStep(0, true)];
}

function commit({ shape, item: { found, committed, record } }: EmbeddedMessage): PlannedStep[] {
  const before = shape.locking === 'pessimistic' ? leasedBytes(found) : found;
  const bytes = Math.max(before, committed);
  return commitStep([{ kind: 'Update', bytes, table: 'saga' }, ...recordWrites(record)]);
}

/** Only of what is sent: nothing else is pending. */
function mark({ shape: { outgoing }, item, record }: EmbeddedMessage): PlannedStep[] {
  if (outgoing === 0) return [];
  if (item.record !== undefined) return markRecord(record);
  const wcu = writeUnits(Math.max(item.committed, item.marked));
  return [stepOf({ step: 'mark', operation: 'UpdateItem', items: 1, wcu, table: 'saga' })];
}

/** The id in an item of its own. */
function commitDiscard(shape: WholeShape): PlannedStep[] {
  return commitStep([{ kind: 'Update', bytes: discardBytes(shape), table: 'saga' }]);
}

/** Whether what a handler failed on was the latest version. */
function confirmFailure({ locking }: WholeShape, bytes: number): PlannedStep[] {
  return locking === 'pessimistic' ? [] : [loadStep(bytes, true)];
}

function release({ locking }: WholeShape, bytes: number): PlannedStep[] {
  return locking === 'pessimistic' ? [releaseStep(bytes)] : [];
}
