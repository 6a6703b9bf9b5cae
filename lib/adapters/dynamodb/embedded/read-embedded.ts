import type { EmbeddedItem } from '../../../core/embedded/embedded-item.ts';
import { Inbox } from '../../../core/embedded/inbox.ts';
import type { SagaItem } from '../../../core/saga/saga-item.ts';
import type { Item } from '../../../core/storage/item-attributes.ts';
import { itemSize } from '../../../core/storage/item-size.ts';
import { pendingEntry } from './pending-entry.ts';

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
