import type { PessimisticSettings } from './locking.ts';

/** The right to change a saga, for a while. */
export interface Lease {
  /** One for each attempt: nobody else, not even the same function, commits under it. */
  readonly owner: string;
  readonly until: Date;
  /** On an outbox record: nobody is at work on it, but the relay leaves it alone until then. */
  readonly postponed?: true;
}

/** What others are told of a lease. */
export function leaseWithoutOwner({ until, postponed }: Lease): Omit<Lease, 'owner'> {
  return { until, ...(postponed && { postponed }) };
}

export function newLease(owner: string, now: Date, leaseDurationMs: number): Lease {
  return { owner, until: new Date(now.getTime() + leaseDurationMs) };
}

export interface RefusedAttempt {
  readonly now: Date;
  readonly deadline: Date;
  /** When the lease that was in the way ends; unknown when DynamoDB did not tell. */
  readonly leaseUntil: Date | undefined;
  /** How many attempts in a row this very lease has refused, this one included. */
  readonly refusals: number;
  /** From 0 up to 1. */
  readonly random: number;
}

type RefreshSettings = Pick<PessimisticSettings, 'minRefreshDelayMs' | 'maxRefreshDelayMs'>;

/** Doublings of the delay: up to fourfold. */
const MAX_GROWTH_STEPS = 2;

/**
 * How long to wait before the next attempt; undefined when none is left before the deadline.
 *
 * A jittered delay. While leases come and go it stays as it is: waiting longer would leave the saga idle
 * between two of them. A lease that is in the way again is that of a slow holder, or of a dead one, and
 * asking often is of no use: the delay doubles. The end of that lease cuts it short, at a moment that differs
 * between contenders.
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
  // The first millisecond in which it is over.
  const untilFreeMs = leaseUntil === undefined ? Number.NaN : leaseUntil.getTime() + 1 - now.getTime();
  const delayMs = untilFreeMs > jitteredMs ? Math.min(grownMs, untilFreeMs + spreadMs) : jitteredMs;
  const remainingMs = deadline.getTime() - now.getTime();
  return remainingMs < jitteredMs ? undefined : Math.ceil(Math.min(delayMs, remainingMs));
}
