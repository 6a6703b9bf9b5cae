import type { Attempt, SagaLeases } from '../../attempt/attempt.ts';
import type { QueueEntry } from '../../attempt/saga-queue/queue-entry.ts';
import { beforeAbort } from '../../kernel/async/before-abort.ts';
import { settled } from '../../kernel/async/settle.ts';
import { isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import { isTimeout } from '../../messages/message.ts';
import type { CorrelatedMessage } from '../../saga/definition/define-saga.ts';
import { outboxForm } from '../../saga/definition/outbox-form.ts';
import { assertTakes } from '../../saga/item/saga-item.ts';
import type { OpenedSaga } from '../../saga/saga-state.ts';
import type { LoadCertainty } from '../../saga/saga-store.ts';
import { acquireLease } from './acquire-lease.ts';
import { releaseLease } from './held-lease.ts';

/**
 * Loads the saga of a message: in parallel with the dedup check, or after it and locked, so that a duplicate
 * locks no saga. A message that appends takes no lease: it waits for no other message, and none waits for it.
 *
 * @param finding the dedup check; the caller handles its error
 */
export async function openSaga(
  attempt: Attempt,
  correlated: CorrelatedMessage,
  finding: Promise<unknown>,
  queueEntry?: QueueEntry,
): Promise<OpenedSaga> {
  const { identity } = correlated;
  const leases = appends(attempt) ? undefined : leasesFor(attempt, queueEntry);
  if (leases === undefined) return await loadTaken(attempt, correlated);
  const found = await settled(finding);
  const isNew = found.status === 'fulfilled' && found.value === undefined;
  if (!isNew) return { identity, stored: undefined, lease: undefined };
  const locked = await acquireLease(attempt, leases, correlated);
  try {
    return ofOwnForm(attempt, locked);
  } catch (error) {
    if (locked.lease) await releaseLease(attempt, identity, locked.lease, 'existing');
    throw error;
  }
}

/** The number of messages from which a refused commit costs at least twelve times as much as a lease. */
export const CROWD = 5;

/**
 * In optimistic mode only a crowd takes a lease. A FIFO group takes none, as its queue keeps others away; nor
 * does an embedded outbox, whose one write, if refused, costs no more than a lease.
 */
function leasesFor({ flow, delivery }: Attempt, queueEntry: QueueEntry | undefined): SagaLeases | undefined {
  const { leases } = flow;
  if (leases === undefined || leases.isForEach) return leases;
  const isCrowd =
    queueEntry !== undefined &&
    !delivery.batch?.isInOrder &&
    !flow.outbox.isInSagaItem &&
    queueEntry.crowd >= CROWD;
  return isCrowd ? leases : undefined;
}

async function loadTaken(attempt: Attempt, correlated: CorrelatedMessage): Promise<OpenedSaga> {
  // A message that failed on an old read must not fail on another one.
  const mayBeOld = attempt.delivery.isFirstAttempt && !appends(attempt);
  const certainty = mayBeOld ? certaintyFor(correlated) : 'all';
  try {
    return ofOwnForm(attempt, await loadSaga(attempt, correlated, certainty));
  } catch (error) {
    if (certainty === 'all' || !isSagaboxError(error) || error.code !== 'OtherSagaForm') throw error;
    // An old read may show pending messages that the latest version no longer has.
    return ofOwnForm(attempt, await loadSaga(attempt, correlated, 'all'));
  }
}

/** Whether the message appends: only to the present saga, not to an earlier one that an old read may find. */
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

/** @throws SagaboxError `OtherSagaForm` for a saga that must not be written in this form yet */
export function ofOwnForm({ flow }: Attempt, openedSaga: OpenedSaga): OpenedSaga {
  const { saga, ports, deduplicationPeriodSeconds } = flow;
  const { identity, item } = openedSaga;
  assertTakes(outboxForm(saga), identity, item, ports.clock.now(), deduplicationPeriodSeconds);
  return openedSaga;
}

/** The certainty of a read: a discard refused after an old read costs more than a consistent read. */
function certaintyFor({ starts, message }: CorrelatedMessage): LoadCertainty {
  if (isTimeout(message)) return 'all';
  return starts ? 'none' : 'absence';
}

/**
 * Checks a saga that was read with eventual consistency and is not written: no condition of the commit would
 * notice that its handler decided on an old version.
 *
 * @throws SagaboxError `SagaConcurrency`
 */
export async function assertLatest(attempt: Attempt, openedSaga: OpenedSaga): Promise<void> {
  const { identity, stored } = openedSaga;
  if (await beforeAbort(isStateCurrent(attempt, openedSaga), attempt.signal)) return;
  throw new SagaboxError('SagaConcurrency', {
    sagaName: identity.name,
    sagaId: identity.id,
    operation: stored ? 'update' : 'create',
  });
}

/** Whether a read with eventual consistency gave the latest version of a saga, which still is the latest. */
export async function isStateCurrent(
  { flow, meter }: Attempt,
  { identity, stored }: OpenedSaga,
): Promise<boolean> {
  const latest = await flow.ports.sagas.load(identity, meter, 'all');
  return latest.stored?.revision.commitId === stored?.revision.commitId;
}
