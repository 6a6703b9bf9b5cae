import type { MemorySaga } from '../../lib/adapters/memory/storage.ts';
import { isCancellation, type OutgoingOperation } from '../../lib/core/incoming/message.ts';
import type { Change } from './observed-storage.ts';
import type { AppliedStep, ModelOperation } from './sequential-model.ts';

/** In what a commit differs from the model's step; nothing when it does not. */
export function differenceOf(
  step: AppliedStep,
  operations: readonly OutgoingOperation[],
  change: Change<MemorySaga> | undefined,
  at: Date,
): string | undefined {
  const sent = JSON.stringify(operations.map(asModelled));
  const expected = JSON.stringify(step.operations);
  if (sent !== expected) return `it sends ${sent}, and should send ${expected}`;
  if (!step.isSagaChanged) return change && 'the saga is written, and nothing of it has changed';
  if (change === undefined) return 'the saga has changed, and is not written';
  const createdAt = change.before?.createdAt ?? at;
  if (change.after && change.after.createdAt.getTime() !== createdAt.getTime())
    return `the saga was created at ${createdAt.toISOString()}, and tells another time`;
  const saga = JSON.stringify(change.after && storedSaga(change.after));
  const expectedSaga = JSON.stringify(step.saga);
  return saga === expectedSaga ? undefined : `the saga is ${saga}, and should be ${expectedSaga}`;
}

function asModelled(operation: OutgoingOperation): ModelOperation {
  if (isCancellation(operation)) return { cancels: operation.cancels };
  const { destination, type, body, dueAt, delaySeconds } = operation;
  const waiting = delaySeconds === undefined ? 'inSchedule' : 'inQueue';
  return { destination, type, body, delayed: dueAt === undefined ? 'none' : waiting };
}

function storedSaga({ state, timeouts }: MemorySaga) {
  const waiting = timeouts.map(({ id, scheduled }) => ({ id, scheduled }));
  return { ...(state as object), timeouts: waiting };
}
