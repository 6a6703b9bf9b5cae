import type { SentBitmap } from '../outbox/sent-bitmap.ts';
import type { Lease } from '../saga/lease.ts';
import type { SagaItem } from '../saga/saga-item.ts';
import type { Inbox } from './inbox.ts';
import type { PendingOperations } from './pending-bytes.ts';

/** What a message of the saga left to be sent, until all of it is. */
export interface PendingEntry extends PendingOperations {
  readonly messageId: string;
  readonly sent?: SentBitmap | undefined;
  /** Of a relay. */
  readonly lease?: Lease | undefined;
}

/** The item of a saga as one with an embedded outbox reads it, with all that it holds of that. */
export interface EmbeddedItem extends SagaItem {
  /** Of whoever writes its inbox. Undefined if nobody has done that yet. */
  readonly endpoint: string | undefined;
  /** Undefined if nobody has written one yet. */
  readonly inbox: Inbox | undefined;
  /** By {@link Inbox.keyOf}. */
  readonly pending: ReadonlyMap<string, PendingEntry>;
  /** Of its state: there are timeouts to come. */
  readonly hasTimeouts: boolean;
  /** Whether its messages have outbox records: the inbox is full. */
  readonly isOverflowed: boolean;
  readonly bytes: number;
}

/**
 * An item that was loaded for a saga with an embedded outbox.
 *
 * @throws Error if its store reads items for sagas of records: its inbox would be taken for empty
 */
export function embeddedItem(item: SagaItem | undefined): EmbeddedItem | undefined {
  if (item === undefined || isEmbeddedItem(item)) return item;
  throw new Error('The saga store does not read what the item holds of an embedded outbox');
}

function isEmbeddedItem(item: SagaItem): item is EmbeddedItem {
  return 'inbox' in item;
}
