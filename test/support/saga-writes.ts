import type { Commit } from '../../lib/outbox/commit.ts';
import { at, commitOf, orderSaga, outboxWrite } from './commits.ts';
import { revisionOf } from './current-revision.ts';

export function sagaCreation(state: unknown, saga = orderSaga): Commit {
  return commitOf({ saga: { kind: 'create', saga, state, timeouts: [] } });
}

export function sagaUpdate(state: unknown, readVersion: number, saga = orderSaga): Commit {
  return commitOf({
    saga: { kind: 'update', saga, state, timeouts: [], read: revisionOf(readVersion), createdAt: at },
  });
}

export function sagaCompletion(readVersion: number, saga = orderSaga): Commit {
  return commitOf({ saga: { kind: 'complete', saga, read: revisionOf(readVersion) } });
}

/**
 * A discard: the saga is checked, and the empty record of the message stored. @param readVersion undefined
 * for an absent saga
 */
export function discardOf(messageId: string, readVersion: number | undefined, saga = orderSaga): Commit {
  const read = readVersion === undefined ? undefined : revisionOf(readVersion);
  return commitOf({ saga: { kind: 'check', saga, read }, outbox: outboxWrite(messageId, []) });
}
