/** The exclusive right on a saga, a record or a request, for a time. */
export interface Lease {
  /** The owner, one for each attempt: no other attempt, even of the same function, commits under it. */
  readonly owner: string;
  readonly until: Date;
  /** Set on a record whose dispatch failed: the relay leaves the record alone until the lease ends. */
  readonly postponed?: true;
}

/** Returns the part of a lease that others may know. */
export function leaseWithoutOwner({ until, postponed }: Lease): Omit<Lease, 'owner'> {
  return { until, ...(postponed && { postponed }) };
}

export function newLease(owner: string, now: Date, leaseDurationMs: number): Lease {
  return { owner, until: new Date(now.getTime() + leaseDurationMs) };
}
