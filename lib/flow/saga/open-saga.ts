import { beforeAbort } from '../../core/async/before-abort.ts';
import type { CorrelatedMessage } from '../../core/saga/define-saga.ts';
import type { OpenedSaga } from '../../core/saga/saga-state.ts';
import type { LoadCertainty } from '../../ports.ts';
import type { Attempt } from '../attempt.ts';
import { acquireLease } from './acquire-lease.ts';
import { isTimeout } from './timeouts.ts';

/**
 * Loads the saga of a message: beside the dedup check in optimistic mode; in pessimistic mode after it, and
 * locked, so that nothing is locked for a message that is done.
 *
 * @param finding the dedup check
 */
export async function openSaga(
  attempt: Attempt,
  correlated: CorrelatedMessage,
  finding: Promise<unknown>,
): Promise<OpenedSaga> {
  const { flow, meter, signal } = attempt;
  const { identity } = correlated;
  const unlocked = { identity, lease: undefined };
  if (flow.pessimistic === undefined) {
    const certainty = certaintyFor(correlated);
    // An abandoned read has no effect.
    const stored = await beforeAbort(flow.ports.sagas.load(identity, meter, certainty), signal);
    return { ...unlocked, stored, mayBeOld: flow.readsEventually === true && certainty !== 'all' };
  }
  if (!(await isNew(finding))) return { ...unlocked, stored: undefined };
  return await acquireLease(attempt, flow.pessimistic, correlated);
}

async function isNew(finding: Promise<unknown>): Promise<boolean> {
  try {
    return (await finding) === undefined;
  } catch {
    // The caller handles the error of the lookup.
    return false;
  }
}

/** A discard that rests on an old read is refused at its commit; a consistent read costs less than that. */
function certaintyFor({ starts, message }: CorrelatedMessage): LoadCertainty {
  if (isTimeout(message)) return 'all';
  return starts ? 'none' : 'absence';
}
