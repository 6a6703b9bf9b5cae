import { type OpenedSaga, revisionOf, type SagaCheck, type SagaWrite } from './saga-state.ts';

/** The most messages of a saga that share one write. */
export const MAX_COMBINED_MESSAGES = 10;

/**
 * Returns the one write of a saga that several messages changed, one after another: its last state, under the
 * condition that the saga is as it was read. A saga that starts and ends with these messages is not written:
 * the commit checks that no other one has started.
 *
 * @param writes the writes of the messages that changed the saga; none follows one that ended it
 * @returns undefined if no message changed the saga
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

/** Returns the check of a saga that a commit rests on and does not change. */
export function sagaCheck(openedSaga: OpenedSaga): SagaCheck {
  const { identity: saga, lease } = openedSaga;
  return { kind: 'check', saga, read: revisionOf(openedSaga), leaseOwner: lease?.owner };
}
