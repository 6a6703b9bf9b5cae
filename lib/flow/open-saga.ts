import type { CorrelatedMessage } from '../core/define-saga.ts';
import type { OpenedSaga } from '../core/saga-state.ts';
import { acquireLease } from './acquire-lease.ts';
import type { Attempt } from './attempt.ts';

/**
 * Loads the saga of a message: beside the dedup check in optimistic mode; in pessimistic mode after it, and locked, so that
 * nothing is locked for a message that is done.
 */
export async function openSaga(
  attempt: Attempt,
  correlated: CorrelatedMessage,
  isNew: Promise<boolean>,
): Promise<OpenedSaga> {
  const { flow, meter } = attempt;
  const { identity, starts } = correlated;
  const unlocked = { identity, lease: undefined };
  if (flow.pessimistic === undefined) {
    // A message that starts no saga is discarded when there is none, so that must be certain.
    return { ...unlocked, stored: await flow.ports.sagas.load(identity, meter, !starts) };
  }
  if (!(await isNew)) return { ...unlocked, stored: undefined };
  return await acquireLease(attempt, flow.pessimistic, correlated);
}
