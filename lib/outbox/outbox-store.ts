import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import type { OutboxRecord } from './record.ts';
import type { SentBitmap } from './sent-bitmap.ts';

/** The outbox of one endpoint. */
export interface OutboxStore {
  /** @throws SagaboxError `IncompleteOutboxRecord`, or `UnreadableItem` for damaged operations */
  find(messageId: string, meter: CapacityMeter): Promise<OutboxRecord | undefined>;
  /**
   * Adds to an undispatched record which of its operations were taken, so that whoever finds it sends only
   * the rest. Does nothing when the record is dispatched, or gone, by now.
   *
   * @returns what the record holds of that now
   */
  saveProgress(record: OutboxRecord, sent: SentBitmap, meter: CapacityMeter): Promise<SentBitmap>;
  /**
   * Removes the operations, in all items that hold them, and starts the record's time to live.
   *
   * @param signal once it is aborted, what the store does not take at first is not tried again
   */
  markDispatched(record: OutboxRecord, at: Date, meter: CapacityMeter, signal?: AbortSignal): Promise<void>;
}
