import { type OpenedSaga, revisionOf, type SagaCheck, type SagaWrite } from './saga-state.ts';

/**
 * What several messages of a saga write of it together, each behind the one before: its last state, under the
 * condition that it is as it was read. A saga that starts and ends with them is not written: it is checked
 * that no other one has started.
 *
 * @param writes of the messages that changed it; none comes behind one that ended it
 * @returns undefined if none changed it
 */
export function combinedWrite(
  openedSaga: OpenedSaga,
  writes: readonly SagaWrite[],
): SagaWrite | SagaCheck | undefined {
  const { identity: saga, stored, lease } = openedSaga;
  const last = writes.at(-1);
  if (last === undefined) return undefined;
  const target = { saga, leaseOwner: lease?.owner };
  if (last.kind === 'complete') {
    return stored ? { kind: 'complete', read: stored.revision, ...target } : sagaCheck(openedSaga);
  }
  const { state, stateVersion, timeouts } = last;
  const versioned = stateVersion !== undefined && { stateVersion };
  const left = {
    state,
    ...versioned,
    timeouts,
    ...(writes.length > 1 && { changes: writes.length }),
    ...target,
  };
  if (stored === undefined) return { kind: 'create', read: revisionOf(openedSaga), ...left };
  return { kind: 'update', read: stored.revision, createdAt: stored.createdAt, ...left };
}

/** What makes a commit rest on a saga that it does not change. */
export function sagaCheck(openedSaga: OpenedSaga): SagaCheck {
  const { identity: saga, lease } = openedSaga;
  return { kind: 'check', saga, read: revisionOf(openedSaga), leaseOwner: lease?.owner };
}
