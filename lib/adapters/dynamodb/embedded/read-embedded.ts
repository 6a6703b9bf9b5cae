import type { EmbeddedItem } from '../../../core/embedded/embedded-item.ts';
import { Inbox } from '../../../core/embedded/inbox.ts';
import type { SagaItem } from '../../../core/saga/saga-item.ts';
import type { Item } from '../../../core/storage/item-attributes.ts';
import { itemSize } from '../../../core/storage/item-size.ts';
import { pendingEntry } from './pending-entry.ts';

/** What an item holds of an embedded outbox, beside what was read of it. @throws Error for what is damaged */
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
    // Not each read asks for it, and it weighs the whole state.
    get bytes() {
      return itemSize(item);
    },
  };
}
