import { beforeAbort } from '../../core/async/before-abort.ts';
import { settled } from '../../core/async/settle.ts';
import { isSagaboxError, SagaboxError } from '../../core/failures/errors.ts';
import type { CorrelatedMessage } from '../../core/saga/define-saga.ts';
import { outboxForm } from '../../core/saga/outbox-form.ts';
import { assertTakes } from '../../core/saga/saga-item.ts';
import type { OpenedSaga } from '../../core/saga/saga-state.ts';
import type { LoadCertainty } from '../../ports.ts';
import type { Attempt, SagaLeases } from '../attempt.ts';
import { acquireLease } from './acquire-lease.ts';
import { releaseLease } from './held-lease.ts';
import type { SagaPlace } from './saga-place.ts';
import { isTimeout } from './timeouts.ts';

/**
 * Loads the saga of a message: in parallel with the dedup check, or after it and locked, so that a message that is
 * done locks no saga. Who appends to it takes no lease: it waits for nobody, and nobody for it.
 *
 * @param finding the dedup check; the caller handles its error
 */
export async function openSaga(
  attempt: Attempt,
  correlated: CorrelatedMessage,
  finding: Promise<unknown>,
  place?: SagaPlace,
): Promise<OpenedSaga> {
  const { identity } = correlated;
  const leases = appends(attempt) ? undefined : leasesFor(attempt, place);
  if (leases === undefined) return await loadTaken(attempt, correlated);
  const found = await settled(finding);
  const isNew = found.status === 'fulfilled' && found.value === undefined;
  if (!isNew) return { identity, stored: undefined, lease: undefined };
  const locked = await acquireLease(attempt, leases, correlated);
  try {
    return taken(attempt, locked);
  } catch (error) {
    if (locked.lease) await releaseLease(attempt, identity, locked.lease, 'existing');
    throw error;
  }
}

/** From so many messages on a refused commit costs twelve times what a lease does, or more. */
export const CROWD = 5;

/**
 * In optimistic mode a crowd takes a lease. Not in a FIFO group, whose queue keeps others away, and not where one
 * write commits all: refused, it costs no more than a lease.
 */
function leasesFor({ flow, delivery }: Attempt, place: SagaPlace | undefined): SagaLeases | undefined {
  const { leases } = flow;
  if (leases === undefined || leases.isForEach) return leases;
  const isCrowd =
    place !== undefined && !delivery.batch?.isInOrder && !flow.outbox.isInSagaItem && place.crowd >= CROWD;
  return isCrowd ? leases : undefined;
}

async function loadTaken(attempt: Attempt, correlated: CorrelatedMessage): Promise<OpenedSaga> {
  // What an old read has failed once is not to fail by another one.
  const mayBeOld = attempt.delivery.isFirstAttempt && !appends(attempt);
  const certainty = mayBeOld ? certaintyFor(correlated) : 'all';
  try {
    return taken(attempt, await loadSaga(attempt, correlated, certainty));
  } catch (error) {
    if (certainty === 'all' || !isSagaboxError(error) || error.code !== 'OtherSagaForm') throw error;
    // An old read may show what its latest version no longer has pending.
    return taken(attempt, await loadSaga(attempt, correlated, 'all'));
  }
}

/** What it adds belongs to the saga that is there, and not to an earlier one under its id, which an old read may find. */
function appends({ flow, received }: Attempt): boolean {
  return flow.saga?.appendedBy?.has(received.type) === true;
}

async function loadSaga(
  attempt: Attempt,
  { identity }: CorrelatedMessage,
  certainty: LoadCertainty,
): Promise<OpenedSaga> {
  const { flow, meter, signal } = attempt;
  // An abandoned read has no effect.
  const loaded = await beforeAbort(flow.ports.sagas.load(identity, meter, certainty), signal);
  const mayBeOld = flow.readsEventually === true && certainty !== 'all';
  return { identity, lease: undefined, ...loaded, mayBeOld };
}

/** @throws SagaboxError `OtherSagaForm` for one that must not be written in this form yet */
export function taken({ flow }: Attempt, opened: OpenedSaga): OpenedSaga {
  const { saga, ports, deduplicationPeriodSeconds } = flow;
  const { identity, item } = opened;
  assertTakes(outboxForm(saga), identity, item, ports.clock.now(), deduplicationPeriodSeconds);
  return opened;
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
export async function assertLatest(attempt: Attempt, opened: OpenedSaga): Promise<void> {
  const { identity, stored } = opened;
  if (await beforeAbort(isLatest(attempt, opened), attempt.signal)) return;
  throw new SagaboxError('SagaConcurrency', {
    sagaName: identity.name,
    sagaId: identity.id,
    operation: stored ? 'update' : 'create',
  });
}

/** Whether a saga that was read with eventual consistency was the latest version of it, and still is. */
export async function isLatest({ flow, meter }: Attempt, { identity, stored }: OpenedSaga): Promise<boolean> {
  const latest = await flow.ports.sagas.load(identity, meter, 'all');
  return latest.stored?.revision.commitId === stored?.revision.commitId;
}
