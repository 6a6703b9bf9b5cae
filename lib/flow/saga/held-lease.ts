import { newLease } from '../../core/saga/lease.ts';
import type { OpenedSaga } from '../../core/saga/saga-state.ts';
import type { Attempt, LeaseInHand } from '../attempt.ts';

/** Renewals per lease duration: one may fail without the loss of the lease. */
const RENEWALS_PER_LEASE = 3;

/** A lease while its handler runs: renewed when the settings say so, and given back at the end. */
export class HeldLease implements LeaseInHand {
  readonly #attempt: Attempt;
  readonly #opened: OpenedSaga;
  readonly #stopping = new AbortController();
  #renewing: Promise<void> | undefined;

  constructor(attempt: Attempt, opened: OpenedSaga) {
    this.#attempt = attempt;
    this.#opened = opened;
    if (opened.lease && attempt.flow.pessimistic?.settings.renew) this.#renewing = this.#renew();
  }

  async stopRenewing(): Promise<void> {
    if (this.#renewing === undefined) return;
    this.#stopping.abort();
    await this.#renewing;
  }

  async release(): Promise<void> {
    const { flow, delivery, meter } = this.#attempt;
    const { identity, stored, lease } = this.#opened;
    if (lease === undefined || delivery.isOver) return;
    try {
      await flow.pessimistic?.locks.release(identity, lease, stored ? 'existing' : 'new', meter);
    } catch (error) {
      this.#warn('A lease was not given back, and ends by itself', error);
    }
  }

  async #renew(): Promise<void> {
    const { flow, meter } = this.#attempt;
    const { identity, lease } = this.#opened;
    if (flow.pessimistic === undefined || lease === undefined) return;
    const { locks, settings } = flow.pessimistic;
    const { clock } = flow.ports;
    // Ends with the signal of the attempt: nobody would stop the loop of an attempt that timed out.
    const signal = AbortSignal.any([this.#stopping.signal, this.#attempt.signal]);
    for (;;) {
      await clock.sleep(settings.leaseDurationMs / RENEWALS_PER_LEASE, signal);
      if (signal.aborted) return;
      try {
        const renewed = newLease(lease.owner, clock.now(), settings.leaseDurationMs);
        if (!(await locks.renew(identity, renewed, meter))) {
          this.#warn('A lease was lost while its handler ran: its commit will be refused');
          return;
        }
      } catch (error) {
        this.#warn('A lease was not renewed', error);
      }
    }
  }

  #warn(message: string, error?: unknown): void {
    const { name: sagaName, id: sagaId } = this.#opened.identity;
    this.#attempt.logger.warn(message, { sagaName, sagaId, error });
  }
}
