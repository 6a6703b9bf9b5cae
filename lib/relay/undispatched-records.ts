import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { Lease } from '../kernel/lease.ts';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import type { OutboxRecord, RecordReference } from '../outbox/record.ts';
import type { SentBitmap } from '../outbox/sent-bitmap.ts';

/** The records of one endpoint that were committed and never dispatched, for the relay. */
export interface UndispatchedRecords {
  /**
   * Those that were stored before a time; some may be dispatched by now.
   *
   * @param signal ends the search early, without an error, when it is aborted
   */
  find(storedBefore: Date, meter: CapacityMeter, signal?: AbortSignal): AsyncIterable<FoundRecord>;
  /** Takes the record for one relay, until the lease ends; it is read then. */
  claim(
    record: RecordReference,
    lease: Lease,
    now: Date,
    meter: CapacityMeter,
    terms?: ClaimTerms,
  ): Promise<ClaimOutcome>;
  /**
   * Leaves it undispatched, and out of reach until the lease ends, unless somebody else holds it by now.
   *
   * @param lease of the owner that claimed it
   * @param sent kept with it, as {@link OutboxStore.saveProgress} does
   */
  postpone(
    record: RecordReference & Pick<OutboxRecord, 'sent'>,
    lease: Lease,
    meter: CapacityMeter,
    sent?: SentBitmap,
  ): Promise<void>;
  /** Gives it back undispatched; does nothing when it is held by somebody else by now. */
  release(record: RecordReference, lease: Lease, meter: CapacityMeter): Promise<void>;
  /** Takes what was seen dispatched, or gone, off the list, if it was found in a place there. */
  unlist(record: FoundRecord, meter: CapacityMeter): Promise<void>;
}

export interface FoundRecord extends RecordReference {
  readonly storedAt: Date;
  readonly listedAt?: string | undefined;
}

export interface ClaimTerms {
  readonly includePostponed?: boolean;
}

/** `held`: by another relay. `postponed`: its time has not come. `settled`: it is dispatched, or gone. */
export type ClaimOutcome = 'claimed' | 'held' | 'postponed' | 'settled';
