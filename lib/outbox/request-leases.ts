import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { Lease } from '../kernel/lease.ts';
import type { Fingerprint } from '../messages/fingerprint.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OutboxRecord } from './record.ts';

/** Leases on requests of one endpoint that are not stored yet, for exclusive sessions. */
export interface RequestLeases {
  /**
   * Finds the record of a request, or takes the lease on it, in one call. Its owner may call it again.
   *
   * @throws SagaboxError as {@link OutboxStore.find}
   */
  tryAcquire(
    requestId: string,
    fingerprint: Fingerprint,
    lease: Lease,
    meter: CapacityMeter,
  ): Promise<RequestLeaseOutcome>;
  /** Does nothing when the request is stored, or leased by somebody else, by now. */
  release(requestId: string, lease: Lease, meter: CapacityMeter): Promise<void>;
}

export type RequestLeaseOutcome =
  | { readonly outcome: 'acquired' }
  | { readonly outcome: 'stored'; readonly record: OutboxRecord }
  | {
      readonly outcome: 'held';
      readonly until: Date | undefined;
      /** Of the request that has it. */
      readonly fingerprint: Fingerprint | undefined;
    };
