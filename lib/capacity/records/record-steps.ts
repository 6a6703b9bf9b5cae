import { dispatchSteps } from '../dispatch-step.ts';
import type { WholeShape } from '../shape-defaults.ts';
import type { DeliverySteps } from '../steps.ts';
import { commit, commitDiscard } from './commit-steps.ts';
import { dedupCheck, mark, readChunks } from './outbox-steps.ts';
import { plannedRecord, type RecordMessage } from './planned-record.ts';
import { storedSagaBytes, writesSaga } from './saga-item-bytes.ts';
import { collect, confirm, confirmFailure, loadAgain, missSaga, openSaga, release } from './saga-steps.ts';

export function recordSteps(asked: WholeShape, sharedTable: boolean): DeliverySteps {
  // Who appends reads consistently, and takes no lease.
  const locking = asked.appended > 0 ? 'optimistic' : asked.locking;
  const shape = { ...asked, locking, sagaBytes: storedSagaBytes(asked) };
  const record = shape.outbox ? plannedRecord(shape) : undefined;
  const message: RecordMessage = { shape, record, sharedTable };
  const sent = dispatchSteps(shape);
  const newMessage = [
    ...dedupCheck(message, 0),
    ...openSaga(message),
    ...collect(message),
    ...confirm(message),
    ...commit(message),
    ...(writesSaga(shape) ? [] : release(shape)),
    ...sent,
    ...(sent.length > 0 ? mark(message) : []),
  ];
  // In pessimistic mode nothing is locked for a duplicate; in the others the saga is read beside the check.
  const duplicate = record
    ? [...dedupCheck(message, record.dispatchedBytes), ...loadAgain(message)]
    : newMessage;
  return {
    newMessage,
    duplicate,
    redispatch:
      record && sent.length > 0
        ? [
            ...dedupCheck(message, record.recordBytes),
            ...readChunks(record.chunkBytes),
            ...loadAgain(message),
            ...sent,
            ...mark(message),
          ]
        : duplicate,
    // No saga waits for the message: an empty record is committed, with a check that the saga is still
    // absent.
    discard: [...dedupCheck(message, 0), ...missSaga(message), ...commitDiscard(message)],
    failedHandler: [
      ...dedupCheck(message, 0),
      ...openSaga(message),
      ...collect(message),
      ...confirmFailure(message),
      ...release(shape),
    ],
  };
}
