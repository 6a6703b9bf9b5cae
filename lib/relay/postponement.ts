import type { Lease } from '../kernel/lease.ts';

const MAX_POSTPONEMENT_MS = 86_400_000;

/**
 * Returns the lease that a relay leaves on a record whose dispatch failed. Each attempt sends the good
 * messages again: with a wait of half the record's age, their copies grow with the logarithm of time.
 */
export function postponed({ owner }: Lease, storedAt: Date, now: Date): Lease {
  const waitMs = (now.getTime() - storedAt.getTime()) / 2;
  // A time that cannot be read gets the longest wait.
  const boundedMs = waitMs < MAX_POSTPONEMENT_MS ? Math.max(0, waitMs) : MAX_POSTPONEMENT_MS;
  return { owner, until: new Date(now.getTime() + boundedMs), postponed: true };
}
