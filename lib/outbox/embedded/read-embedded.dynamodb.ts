import type { Item } from '../../dynamodb/item-attributes.ts';
import { itemSize } from '../../dynamodb/item-size.ts';
import type { SagaItem } from '../../saga/item/saga-item.ts';
import type { EmbeddedItem } from './embedded-item.ts';
import { Inbox } from './inbox.ts';
import { pendingEntry } from './pending-entry.dynamodb.ts';

/** Adds the embedded outbox of an item to what was read of the item. @throws Error for damaged attributes */
export function readEmbedded(item: Item, read: SagaItem): EmbeddedItem {
  const { endpoint, inbox, pending, timeouts, overflowed } = item;
  const entries = Object.entries(pending?.M ?? {});
  return {
    ...read,
    endpoint: endpoint?.S,
    inbox: inbox?.B && new Inbox(inbox.B),
    pending: new Map(entries.map(([key, entry]) => [key, pendingEntry(entry)])),
    hasTimeouts: timeouts !== undefined,
    isOverflowed: overflowed?.BOOL === true,
    // Computed on demand: not each read asks for the size, which takes a walk through the whole state.
    get bytes() {
      return itemSize(item);
    },
  };
}
