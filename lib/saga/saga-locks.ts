import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../dynamodb/keys.ts';
import type { Lease } from '../kernel/lease.ts';
import type { LoadedSaga } from './saga-store.ts';

/** Leases on sagas. */
export interface SagaLocks {
  tryAcquire(
    saga: SagaIdentity,
    lease: Lease,
    expected: ExpectedSaga,
    meter: CapacityMeter,
  ): Promise<AcquireOutcome>;
  /** @returns whether the lease was still held, and now is until `lease.until`. */
  renew(saga: SagaIdentity, lease: Lease, meter: CapacityMeter): Promise<boolean>;
  /** Does nothing when the lease is held by somebody else by now. */
  release(saga: SagaIdentity, lease: Lease, expected: ExpectedSaga, meter: CapacityMeter): Promise<void>;
}

/** `existing`: the saga itself is locked. `new`: a lock is put where the saga is going to be. */
export type ExpectedSaga = 'existing' | 'new';

export type AcquireOutcome =
  | ({ readonly outcome: 'acquired' } & LoadedSaga)
  /** Until when is unknown when the service did not take the request; it may have taken it all the same. */
  | { readonly outcome: 'held'; readonly until: Date | undefined; readonly cause?: unknown }
  /** There is a saga where none was expected, or none where one was. */
  | { readonly outcome: 'unexpected' };
