import type { Attempt, SagaLease } from '../../attempt/attempt.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { type Lease, newLease } from '../../kernel/lease.ts';
import { failureFields, logFields } from '../../observe/logs/log-fields.ts';
import type { ExpectedSaga } from '../../saga/saga-locks.ts';
import type { OpenedSaga } from '../../saga/saga-state.ts';

/** Renewals per lease duration: one may fail without the loss of the lease. */
const RENEWALS_PER_LEASE = 3;

/**
 * The lease of a saga while its handler runs, renewed if the settings say so. If no lease was taken, the
 * methods do nothing.
 */
export class HeldLease implements SagaLease {
  readonly #attempt: Attempt;
  readonly #openedSaga: OpenedSaga;
  readonly #stopping = new AbortController();
  #renewing: Promise<void> | undefined;

  constructor(attempt: Attempt, openedSaga: OpenedSaga) {
    this.#attempt = attempt;
    this.#openedSaga = openedSaga;
    if (openedSaga.lease && attempt.flow.leases?.settings.renew) this.#renewing = this.#renew();
  }

  /** Stops the renewals, and waits for one that is under way. */
  async stopRenewing(): Promise<void> {
    if (this.#renewing === undefined) return;
    this.#stopping.abort();
    await this.#renewing;
  }

  /** Stops the renewals, and releases the lease if no write of the saga did. Never throws. */
  async release(): Promise<void> {
    await this.stopRenewing();
    const { identity, stored, item, lease } = this.#openedSaga;
    if (lease) await releaseLease(this.#attempt, identity, lease, stored || item ? 'existing' : 'new');
  }

  async #renew(): Promise<void> {
    const { flow, meter } = this.#attempt;
    const { identity, lease } = this.#openedSaga;
    if (flow.leases === undefined || lease === undefined) return;
    const { locks, settings } = flow.leases;
    const { clock } = flow.ports;
    // Ends with the signal of the attempt: nobody would stop the loop of an attempt that timed out.
    const signal = AbortSignal.any([this.#stopping.signal, this.#attempt.signal]);
    for (;;) {
      await clock.sleep(settings.leaseDurationMs / RENEWALS_PER_LEASE, signal);
      if (signal.aborted) return;
      try {
        const renewed = newLease(lease.owner, clock.now(), settings.leaseDurationMs);
        if (!(await locks.renew(identity, renewed, meter))) {
          warn(this.#attempt, identity, 'A lease was lost while its handler ran: its commit will be refused');
          return;
        }
      } catch (error) {
        warn(this.#attempt, identity, 'A lease was not renewed', error);
      }
    }
  }
}

/** Releases a lease that is held, or may be. Never throws: a lease expires anyway. */
export async function releaseLease(
  attempt: Attempt,
  identity: SagaIdentity,
  lease: Lease,
  expected: ExpectedSaga,
): Promise<void> {
  const { flow, delivery, meter } = attempt;
  if (delivery.isOver) return;
  try {
    await flow.leases?.locks.release(identity, lease, expected, meter);
  } catch (error) {
    warn(attempt, identity, 'A lease was not released, and expires by itself', error);
  }
}

function warn({ logger }: Attempt, { name, id }: SagaIdentity, message: string, error?: unknown): void {
  logger.warn(message, logFields({ sagaName: name, sagaId: id }, error && failureFields(error)));
}
