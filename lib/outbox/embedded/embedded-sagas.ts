import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { OutboxStore } from '../outbox-store.ts';
import type { OutboxRecord, RecordReference } from '../record.ts';
import type { EmbeddedLimits } from './embedded-write.ts';

/**
 * Sagas with an embedded outbox. What is to be sent after a commit is in the item of the saga, until it is marked
 * there.
 */
export interface EmbeddedSagas extends Pick<OutboxStore, 'saveProgress' | 'markDispatched'> {
  /** Of each item. @default - those of DynamoDB */
  readonly limits?: EmbeddedLimits;
  /** The salt of a new item's inbox: 8 bytes that nobody can foretell. */
  newSalt(): Uint8Array;
  /** What a message left to be sent, while it is not marked. @throws SagaboxError `UnreadableItem` */
  find(record: RecordReference, meter: CapacityMeter): Promise<OutboxRecord | undefined>;
}
