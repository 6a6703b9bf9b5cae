import type { Item } from '../../lib/dynamodb/item-attributes.ts';
import { endpointOfOutboxPartition, type ItemKey, RECORD_SORT_KEY } from '../../lib/dynamodb/keys.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import type { FoundRecord } from '../../lib/relay/undispatched-records.ts';
import { readUnsentItem, type UnsentItem, unsentItem } from '../../lib/relay/unsent-items.ts';
import type { MemoryRecord, MemorySagaItem } from '../../lib/testing/memory/storage.ts';

const { sortKeyName, timeToLiveAttributeName } = tableDefaults;

/** What is not sent in an item: a record, or the item of a saga. */
export function unsentIn(
  { partition, sort }: ItemKey,
  record: MemoryRecord | undefined,
  saga: MemorySagaItem | undefined,
): UnsentItem[] {
  if (sort === RECORD_SORT_KEY) {
    if (record === undefined || record.dispatched) return [];
    const { messageId, storedAt } = record;
    return [{ endpoint: endpointOfOutboxPartition(partition) ?? '', messageId, storedAt, partition }];
  }
  const { endpoint = '', pending = [] } = saga ?? {};
  return [...pending].map(([entryKey, { messageId, storedAt }]) => {
    return { endpoint, messageId, storedAt, partition, entryKey };
  });
}

/** The lists of what was not seen to be sent, one of each endpoint, in the form of their items. */
export class UnsentLists {
  /** By the endpoint, and then by the sort key. */
  readonly #lists = new Map<string, Map<string, Item>>();

  add(unsent: UnsentItem): void {
    const list = this.#lists.get(unsent.endpoint) ?? new Map<string, Item>();
    const item = unsentItem(tableDefaults, unsent);
    this.#lists.set(unsent.endpoint, list.set(item[sortKeyName]?.S ?? '', item));
  }

  remove(endpoint: string, listedAt: string): void {
    this.#lists.get(endpoint)?.delete(listedAt);
  }

  /** An endpoint that has something on its list. */
  get endpoint(): string | undefined {
    return [...this.#lists].find(([, list]) => list.size > 0)?.[0];
  }

  /** The oldest first. */
  find(endpoint: string, storedBefore: Date): FoundRecord[] {
    const list = [...(this.#lists.get(endpoint) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
    return list.flatMap(([listedAt, item]) => {
      const unsent = readUnsentItem(tableDefaults, endpoint, item);
      if (listedAt >= storedBefore.toISOString() || unsent?.messageId === undefined) return [];
      const { messageId, storedAt, partition, entryKey } = unsent;
      const sagaItem = entryKey === undefined ? {} : { sagaItem: { partition, key: entryKey } };
      return [{ messageId, storedAt, listedAt, ...sagaItem }];
    });
  }

  /** The time to live deletes what says that it expires. */
  deleteExpired(nowMs: number): void {
    for (const list of this.#lists.values()) {
      for (const [key, item] of list) {
        const seconds = Number(item[timeToLiveAttributeName]?.N);
        if (seconds * 1000 <= nowMs) list.delete(key);
      }
    }
  }
}
