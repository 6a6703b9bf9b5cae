import type { Lease } from '../../kernel/lease.ts';
import type { SagaItem } from '../../saga/item/saga-item.ts';
import type { SentBitmap } from '../sent-bitmap.ts';
import type { Inbox } from './inbox.ts';
import type { PendingOperations } from './pending-bytes.ts';

/** The operations of a message of the saga, until all of them are sent. */
export interface PendingEntry extends PendingOperations {
  readonly messageId: string;
  readonly sent?: SentBitmap | undefined;
  /** The lease of a relay. */
  readonly lease?: Lease | undefined;
}

/** The item of a saga, with its embedded outbox. */
export interface EmbeddedItem extends SagaItem {
  /** The endpoint that writes the inbox; `undefined` if none has yet. */
  readonly endpoint: string | undefined;
  /** The inbox; `undefined` if none was written yet. */
  readonly inbox: Inbox | undefined;
  /** The entries by {@link Inbox.keyOf}. */
  readonly pending: ReadonlyMap<string, PendingEntry>;
  /** Whether the saga has pending timeouts. */
  readonly hasTimeouts: boolean;
  /** Whether the messages of the saga have outbox records, as the inbox is full. */
  readonly isOverflowed: boolean;
  readonly bytes: number;
}

/**
 * Returns the item that was loaded for a saga with an embedded outbox.
 *
 * @throws Error if the store reads items for sagas with outbox records: the inbox would be taken for empty
 */
export function embeddedItem(item: SagaItem | undefined): EmbeddedItem | undefined {
  if (item === undefined || isEmbeddedItem(item)) return item;
  throw new Error('The saga store does not read what the item holds of an embedded outbox');
}

function isEmbeddedItem(item: SagaItem): item is EmbeddedItem {
  return 'inbox' in item;
}
