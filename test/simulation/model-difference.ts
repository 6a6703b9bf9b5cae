import { isCancellation, type OutgoingOperation } from '../../lib/messages/message.ts';
import type { MemorySaga, MemorySagaItem } from '../../lib/testing/memory/storage.ts';
import type { Change } from './observed-storage.ts';
import type { AppliedStep, ModelOperation } from './sequential-model.ts';

/** In what the messages that a commit sends differ from those of the model's step. */
export function differenceOfSends(
  { operations: expected }: AppliedStep,
  operations: readonly OutgoingOperation[],
): string | undefined {
  const sent = JSON.stringify(operations.map(asModelled));
  if (sent === JSON.stringify(expected)) return undefined;
  return `it sends ${sent}, and should send ${JSON.stringify(expected)}`;
}

/**
 * In what the saga that a commit leaves differs from that of the model's steps, one for each message.
 *
 * @param found the item before the commit
 */
export function differenceOfSaga(
  steps: readonly AppliedStep[],
  change: Change<MemorySaga> | undefined,
  at: Date,
  found: MemorySagaItem | undefined,
): string | undefined {
  const changed = steps.filter(({ isSagaChanged }) => isSagaChanged);
  const last = changed.at(-1)?.saga;
  // One that started and ended with these messages was never there for others.
  const isWritten = changed.length > 0 && (found?.saga !== undefined || last !== undefined);
  if (!isWritten) return change && 'the saga is written, and nothing of it has changed';
  if (change === undefined) return 'the saga has changed, and is not written';
  const saga = JSON.stringify(change.after && storedSaga(change.after));
  const expectedSaga = JSON.stringify(last);
  if (saga !== expectedSaga) return `the saga is ${saga}, and should be ${expectedSaga}`;
  if (change.after === undefined) return undefined;
  const createdAt = change.before?.createdAt ?? at;
  if (change.after.createdAt.getTime() !== createdAt.getTime())
    return `the saga was created at ${createdAt.toISOString()}, and tells another time`;
  const version = (found?.revision.version ?? 0) + changed.length;
  const { version: stored } = change.after.revision;
  return stored === version ? undefined : `the saga has version ${stored}, and should have ${version}`;
}

/** The same, of a saga with an embedded outbox: each message is written, also one that changes no state. */
export function differenceOfItem(
  steps: readonly AppliedStep[],
  change: Change<MemorySagaItem> | undefined,
  at: Date,
): string | undefined {
  const { before, after } = change ?? {};
  const saga = JSON.stringify(after?.saga && storedSaga(after.saga));
  const expectedSaga = JSON.stringify(steps.at(-1)?.saga);
  if (saga !== expectedSaga) return `the saga is ${saga}, and should be ${expectedSaga}`;
  const createdAt = before?.saga?.createdAt ?? at;
  if (after?.saga && after.saga.createdAt.getTime() !== createdAt.getTime())
    return `the saga was created at ${createdAt.toISOString()}, and tells another time`;
  const version = (before?.revision.version ?? 0) + steps.length;
  const stored = after?.revision.version;
  return stored === version ? undefined : `the saga has version ${stored}, and should have ${version}`;
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
