import { beforeAbort } from '../../core/async/before-abort.ts';
import { settled } from '../../core/async/settle.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import type { CorrelatedMessage } from '../../core/saga/define-saga.ts';
import type { OpenedSaga } from '../../core/saga/saga-state.ts';
import type { LoadCertainty } from '../../ports.ts';
import type { Attempt } from '../attempt.ts';
import { acquireLease } from './acquire-lease.ts';
import { isTimeout } from './timeouts.ts';

/**
 * Loads the saga of a message: in parallel with the dedup check in optimistic mode; in pessimistic mode after
 * it, and locked, so that a message that is done locks no saga.
 *
 * @param finding the dedup check; the caller handles its error
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
    if (flow.embedded) {
      // After a failure an old read would have the commit refused again.
      const certainty = attempt.delivery.isFirstAttempt ? certaintyFor(correlated) : 'all';
      const loading = flow.embedded.sagas.load(identity, meter, certainty);
      return { ...unlocked, ...(await beforeAbort(loading, signal)) };
    }
    const certainty = certaintyFor(correlated);
    // An abandoned read has no effect.
    const stored = await beforeAbort(flow.ports.sagas.load(identity, meter, certainty), signal);
    return { ...unlocked, stored, mayBeOld: flow.readsEventually === true && certainty !== 'all' };
  }
  const found = await settled(finding);
  const isNew = found.status === 'fulfilled' && found.value === undefined;
  return isNew
    ? await acquireLease(attempt, flow.pessimistic, correlated)
    : { ...unlocked, stored: undefined };
}

/** A discard that rests on an old read is refused at its commit; a consistent read costs less than that. */
function certaintyFor({ starts, message }: CorrelatedMessage): LoadCertainty {
  if (isTimeout(message)) return 'all';
  return starts ? 'none' : 'absence';
}

/**
 * For a saga that was read with eventual consistency and is not written: no condition of the commit would
 * notice that its handler decided on an old version.
 *
 * @throws SagaboxError `SagaConcurrency`
 */
export async function assertLatest(
  { flow, meter, signal }: Attempt,
  { identity, stored }: OpenedSaga,
): Promise<void> {
  const latest = await beforeAbort(flow.ports.sagas.load(identity, meter, 'all'), signal);
  if (latest?.revision.commitId === stored?.revision.commitId) return;
  throw new SagaboxError('SagaConcurrency', {
    sagaName: identity.name,
    sagaId: identity.id,
    operation: stored ? 'update' : 'create',
  });
}
