import type { PessimisticSettings } from './definition/locking.ts';

export interface RefusedAttempt {
  readonly now: Date;
  readonly deadline: Date;
  /** The end of the lease that was in the way; `undefined` when DynamoDB did not tell. */
  readonly leaseUntil: Date | undefined;
  /** The number of attempts in a row that this very lease has refused, this one included. */
  readonly refusals: number;
  /** A number from 0 up to 1. */
  readonly random: number;
}

type RefreshSettings = Pick<PessimisticSettings, 'minRefreshDelayMs' | 'maxRefreshDelayMs'>;

/** Doublings of the delay: up to fourfold. */
const MAX_GROWTH_STEPS = 2;

/**
 * Returns the time to wait before the next attempt; `undefined` when none is left before the deadline.
 *
 * The delay is jittered. While leases come and go it stays as it is: waiting longer would leave the saga idle
 * between two of them. A lease that is in the way again is that of a slow holder, or of a dead one, and
 * asking often is of no use: the delay doubles. The end of that lease cuts the delay short, at a moment that
 * differs between contenders.
 *
 * ```text
 *  one lease  ├────────────────────────────────┤ until
 *  asked        ✗──✗─────✗──────────·· too late ··┊
 *                        └─────────────────────►✓   right after it, by less than one refresh delay
 * ```
 */
export function refreshDelayMs(attempt: RefusedAttempt, settings: RefreshSettings): number | undefined {
  const { now, deadline, refusals, leaseUntil, random } = attempt;
  const { minRefreshDelayMs, maxRefreshDelayMs } = settings;
  const spreadMs = random * (maxRefreshDelayMs - minRefreshDelayMs);
  const jitteredMs = minRefreshDelayMs + spreadMs;
  const grownMs = jitteredMs * 2 ** Math.min(refusals - 1, MAX_GROWTH_STEPS);
  // The first millisecond in which the lease is over.
  const untilFreeMs = leaseUntil === undefined ? Number.NaN : leaseUntil.getTime() + 1 - now.getTime();
  const delayMs = untilFreeMs > jitteredMs ? Math.min(grownMs, untilFreeMs + spreadMs) : jitteredMs;
  const remainingMs = deadline.getTime() - now.getTime();
  return remainingMs < jitteredMs ? undefined : Math.ceil(Math.min(delayMs, remainingMs));
}
