import { SagaboxError } from '../../kernel/errors/errors.ts';
import { newLease } from '../../kernel/lease.ts';
import { differenceOf } from '../../messages/fingerprint.ts';
import { failureFields } from '../../observe/logs/log-fields.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import { findRecord } from '../../pipeline/outbox/find-record.ts';
import { refreshDelayMs } from '../../saga/lease-refresh.ts';
import type { ExclusiveRule, SessionAttempt } from './session-attempt.ts';

/** How often a waiting request tries again: by the same rule as messages that wait for a saga. */
const refreshDelays = { minRefreshDelayMs: 100, maxRefreshDelayMs: 300 };

/**
 * Makes the dedup check. An exclusive session leases the request in the same call, and waits while another
 * one has the lease. The owner of the lease can call this again.
 *
 * @returns the record of a request that was committed; undefined for one that is to be handled
 * @throws SagaboxError `RequestInProgress`, `IdempotencyKeyReused`; the signal's reason
 */
export async function openRequest(attempt: SessionAttempt): Promise<OutboxRecord | undefined> {
  const { exclusive } = attempt;
  return exclusive ? await leaseRequest(attempt, exclusive) : await findRecord(attempt);
}

async function leaseRequest(
  { flow, delivery, request, fingerprint, rules, startedAt, meter, signal }: SessionAttempt,
  { leases, owner, leaseDurationMs, waitTimeoutMs }: ExclusiveRule,
): Promise<OutboxRecord | undefined> {
  const { clock } = flow.ports;
  let lastSeenExpiry: number | undefined;
  for (let refusals = 1; ; ) {
    signal.throwIfAborted();
    const { remainingMs, startableForMs } = delivery.deadline;
    // A handler may run for as long as its invocation.
    const durationMs = leaseDurationMs ?? remainingMs;
    const lease = newLease(owner, clock.now(), durationMs);
    // An abandoned call may leave a lease, which expires by itself.
    const result = await leases.tryAcquire(request.id, fingerprint, lease, meter);
    if (result.outcome === 'acquired') return undefined;
    if (result.outcome === 'stored') return result.record;
    if (result.fingerprint && differenceOf(result.fingerprint, fingerprint) !== undefined)
      throw new SagaboxError('IdempotencyKeyReused', {});
    const { until: leaseUntil } = result;
    refusals = leaseUntil?.getTime() === lastSeenExpiry ? refusals + 1 : 1;
    lastSeenExpiry = leaseUntil?.getTime();
    const now = clock.now();
    const waitEndMs = Math.min(startedAt.getTime() + waitTimeoutMs, now.getTime() + startableForMs);
    const attempted = { now, deadline: new Date(waitEndMs), refusals, leaseUntil, random: rules.random() };
    const delayMs = refreshDelayMs(attempted, refreshDelays);
    if (delayMs === undefined) {
      const waitedMs = now.getTime() - startedAt.getTime();
      throw new SagaboxError('RequestInProgress', { waitedMs });
    }
    await clock.sleep(delayMs, signal);
  }
}

/** Releases the lease on a request, so that others need not wait until it expires. Never throws. */
export async function releaseRequest({ request, exclusive, meter, logger }: SessionAttempt): Promise<void> {
  if (!exclusive) return;
  const { leases, owner } = exclusive;
  try {
    await leases.release(request.id, { owner, until: new Date(0) }, meter);
  } catch (error) {
    logger.warn('The lease of a request was not released, and expires by itself', failureFields(error));
  }
}
