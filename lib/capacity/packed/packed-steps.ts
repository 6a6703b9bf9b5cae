import { dispatchSteps } from '../dispatch-step.ts';
import type { PlannedStep } from '../message-shape.ts';
import { commit, commitDiscard } from './packed-commit-steps.ts';
import type { PackedMessage } from './packed-message.ts';
import { dedupCheck, mark, readChunks } from './packed-outbox-steps.ts';
import { confirm, loadAgain, missSaga, openSaga, release } from './packed-saga-steps.ts';
import { sagaIsThere, writesSaga } from './saga-item-bytes.ts';

export function newSteps(message: PackedMessage): PlannedStep[] {
  const sent = dispatchSteps(message.shape);
  return [
    ...dedupCheck(message, 0),
    ...openSaga(message, sagaIsThere(message.shape)),
    ...confirm(message),
    ...commit(message),
    ...(writesSaga(message.shape) ? [] : release(message.shape)),
    ...sent,
    ...(sent.length > 0 ? mark(message) : []),
  ];
}

/** In pessimistic mode nothing is locked for it; in the others the saga is read beside the check. */
export function duplicateSteps(message: PackedMessage): PlannedStep[] {
  const { record } = message;
  if (record === undefined) return newSteps(message);
  return [...dedupCheck(message, record.dispatchedBytes), ...loadAgain(message)];
}

export function redispatchSteps(message: PackedMessage): PlannedStep[] {
  const { record, shape } = message;
  if (record === undefined || shape.outgoing === 0) return duplicateSteps(message);
  return [
    ...dedupCheck(message, record.recordBytes),
    ...readChunks(record.chunkBytes),
    ...loadAgain(message),
    ...dispatchSteps(shape),
    ...mark(message),
  ];
}

/**
 * No saga waits for the message: an empty record is committed, with a check that the saga is still absent.
 */
export function discardSteps(message: PackedMessage): PlannedStep[] {
  return [...dedupCheck(message, 0), ...missSaga(message), ...commitDiscard(message)];
}

export function failedSteps(message: PackedMessage): PlannedStep[] {
  const { shape } = message;
  return [...dedupCheck(message, 0), ...openSaga(message, sagaIsThere(shape)), ...release(shape)];
}
