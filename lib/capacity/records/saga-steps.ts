import type { PlannedStep } from '../message-shape.ts';
import { loadStep, lockStep, missedLockStep, releaseStep } from '../saga-step.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { readPages } from './outbox-steps.ts';
import type { RecordMessage } from './planned-record.ts';
import { foundBytes, writesSaga } from './saga-item-bytes.ts';

export function openSaga(message: RecordMessage): PlannedStep[] {
  const { shape } = message;
  if (shape.sagaBytes === 0) return [];
  const bytes = foundBytes(shape);
  return [shape.locking === 'pessimistic' ? lockStep(bytes, shape.lockAttempts) : load(message, bytes)];
}

/** For a message that was committed before: what became of the saga is read, and not looked at. */
export function loadAgain(message: RecordMessage): PlannedStep[] {
  const { sagaBytes, locking, sagaChange } = message.shape;
  if (sagaBytes === 0 || locking === 'pessimistic') return [];
  return sagaChange === 'complete' ? missSaga(message) : [load(message, sagaBytes)];
}

/** A look for a saga that is not there. */
export function missSaga(message: RecordMessage): PlannedStep[] {
  const { sagaBytes, locking } = message.shape;
  if (sagaBytes === 0) return [];
  if (locking === 'pessimistic') return [missedLockStep()];
  // What an eventually consistent read does not find is looked for once more.
  return [load(message, 0), ...(locking === 'eventual' ? [loadStep(0, true)] : [])];
}

/** What was appended under one key. */
export function collect({ shape: { collected, contributionBytes } }: RecordMessage): PlannedStep[] {
  return readPages(Array<number>(collected).fill(contributionBytes), { step: 'collect', table: 'saga' });
}

/** What was read with eventual consistency, and is not written, is read once more before the commit. */
export function confirm({ shape }: RecordMessage): PlannedStep[] {
  if (shape.sagaBytes === 0 || shape.locking !== 'eventual' || writesSaga(shape)) return [];
  return [loadStep(shape.sagaBytes, true)];
}

/** Whether what a handler failed on was the latest version. */
export function confirmFailure({ shape }: RecordMessage): PlannedStep[] {
  if (shape.sagaBytes === 0 || shape.locking !== 'eventual') return [];
  return [loadStep(foundBytes(shape), true)];
}

export function release(shape: WholeShape): PlannedStep[] {
  if (shape.sagaBytes === 0 || shape.locking !== 'pessimistic') return [];
  return [releaseStep(foundBytes(shape))];
}

/** Beside the dedup check, in the same call. */
function load({ shape, record, sharedTable }: RecordMessage, bytes: number): PlannedStep {
  const isConsistent = shape.locking !== 'eventual';
  const sharesCall = record !== undefined && (isConsistent || !sharedTable);
  return loadStep(bytes, isConsistent, sharesCall ? 0 : 1);
}
