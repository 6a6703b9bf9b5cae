import type { Attempt, SagaLeases } from '../../attempt/attempt.ts';
import { reportEvent, reportMetric } from '../../attempt/report.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { type Lease, newLease } from '../../kernel/lease.ts';
import { messageFacts } from '../../observe/logs/message-logger.ts';
import type { CorrelatedMessage } from '../../saga/definition/define-saga.ts';
import { refreshDelayMs } from '../../saga/lease-refresh.ts';
import type { AcquireOutcome, ExpectedSaga } from '../../saga/saga-locks.ts';
import type { OpenedSaga } from '../../saga/saga-state.ts';
import { releaseLease } from './held-lease.ts';

/**
 * Polls for the lease on a saga until the lease is acquired or the time is up. A message that starts the saga
 * also locks a missing one; other messages create nothing.
 *
 * @throws SagaboxError `LockTimeout`; the reason of the attempt's signal when that is aborted
 */
export async function acquireLease(
  attempt: Attempt,
  leases: SagaLeases,
  { identity, starts }: CorrelatedMessage,
): Promise<OpenedSaga> {
  const { flow, delivery, received, signal } = attempt;
  const { settings, lastFound, random, newLeaseOwner } = leases;
  const { clock } = flow.ports;
  const begunAt = clock.now();
  const told = messageFacts(flow.endpoint, received, identity);
  // No wait goes on when there is too little time left to start the handler.
  const maxMs = Math.min(settings.leaseAcquisitionTimeoutMs, delivery.deadline.startableForMs);
  const deadline = new Date(begunAt.getTime() + maxMs);
  const { type } = received;
  // The same for all tries: a lease that an earlier try took, whose answer got lost, is recognised as ours.
  const owner = newLeaseOwner();
  let expected: ExpectedSaga = starts ? (lastFound.get(type) ?? 'new') : 'existing';
  let wrongGuesses = 0;
  let lastSeenExpiry: Date | undefined;
  let unanswered: unknown;
  let waits = 0;
  const reportWait = async (waitedMs: number) => {
    if (waits > 0) await reportMetric(attempt, 'lockWaitDuration', 'Milliseconds', waitedMs);
  };
  for (let attempts = 1, refusals = 0; ; attempts += 1) {
    const lease = newLease(owner, clock.now(), settings.leaseDurationMs);
    signal.throwIfAborted();
    const result = await tryAcquire(attempt, leases, identity, lease, expected);
    if (result.outcome === 'acquired') {
      if (starts) lastFound.set(type, result.stored || result.item ? 'existing' : 'new');
      await reportWait(clock.now().getTime() - begunAt.getTime());
      const { stored, item } = result;
      return { identity, stored, item, lease, hasWaited: waits > 0 };
    }
    if (result.outcome === 'unexpected') {
      if (!starts) return { identity, stored: undefined, lease: undefined, hasWaited: waits > 0 };
      expected = expected === 'new' ? 'existing' : 'new';
      wrongGuesses += 1;
      // A second wrong guess: others create and complete the saga at this moment, so wait as for a lease.
      if (wrongGuesses === 1) continue;
    }
    const now = clock.now();
    const leaseUntil = result.outcome === 'held' ? result.until : undefined;
    if (result.outcome === 'held') unanswered ??= result.cause;
    refusals = leaseUntil?.getTime() === lastSeenExpiry?.getTime() ? refusals + 1 : 1;
    lastSeenExpiry = leaseUntil;
    const delayMs = refreshDelayMs({ now, deadline, refusals, leaseUntil, random: random() }, settings);
    if (delayMs === undefined) {
      const waitedMs = now.getTime() - begunAt.getTime();
      const facts = { sagaName: identity.name, sagaId: identity.id, attempts, waitedMs };
      // A call that DynamoDB seemed to refuse may have taken the lease.
      if (unanswered) await releaseLease(attempt, identity, lease, expected);
      await reportWait(waitedMs);
      throw new SagaboxError('LockTimeout', facts, { cause: unanswered });
    }
    await reportEvent(flow.hooks, attempt, { type: 'lockWait', attempts, delayMs, ...told });
    waits += 1;
    await clock.sleep(delayMs, signal);
  }
}

/**
 * Tries once to take the lease. A failed or aborted call may have taken it: the lease is released then, or
 * others would wait until it expires. An abandoned call may leave a lease that expires by itself; nothing was
 * decided under it.
 */
async function tryAcquire(
  attempt: Attempt,
  { locks }: SagaLeases,
  identity: SagaIdentity,
  lease: Lease,
  expected: ExpectedSaga,
): Promise<AcquireOutcome> {
  try {
    const outcome = await locks.tryAcquire(identity, lease, expected, attempt.meter);
    attempt.signal.throwIfAborted();
    return outcome;
  } catch (error) {
    await releaseLease(attempt, identity, lease, expected);
    throw error;
  }
}
