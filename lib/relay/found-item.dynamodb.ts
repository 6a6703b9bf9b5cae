import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../dynamodb/item-attributes.ts';
import { endpointOfOutboxPartition, messageIdOfPartition, SAGA_SORT_KEY } from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import { pendingMessageId, readPendingAttribute } from '../outbox/embedded/embedded-items.ts';
import type { UnsentItem } from './unsent-items.ts';

/** An undispatched record as a search finds it. */
export interface FoundItem extends UnsentItem {
  /** The record's place in the list. @default - the record was found without the list */
  readonly listedAt?: string | undefined;
}

export function isSagaItem(item: Item, { sortKeyName }: Table): boolean {
  return item[sortKeyName]?.S === SAGA_SORT_KEY;
}

/** @param item a record that is an item of its own; for any other item, nothing is returned */
export function foundRecord(item: Item, { partitionKeyName }: Table): FoundItem[] {
  const partition = item[partitionKeyName]?.S ?? '';
  const endpoint = endpointOfOutboxPartition(partition);
  if (endpoint === undefined) return [];
  const messageId = messageIdOfPartition(endpoint, partition) ?? item.messageId?.S;
  const storedAt = new Date(item.storedAt?.S ?? Number.NaN);
  return [{ endpoint, messageId, storedAt, partition, entryKey: undefined }];
}

/** @param item of a saga with an embedded outbox */
export function foundEntries(item: Item, { partitionKeyName }: Table, storedBefore: Date): FoundItem[] {
  const partition = item[partitionKeyName]?.S ?? '';
  const endpoint = item.endpoint?.S ?? '';
  return Object.entries(item.pending?.M ?? {}).flatMap(([entryKey, entry]: [string, AttributeValue]) => {
    const messageId = pendingMessageId(entry);
    const storedAt = storedAtOf(entry);
    if (messageId === undefined || storedAt >= storedBefore) return [];
    return [{ endpoint, messageId, storedAt, partition, entryKey }];
  });
}

function storedAtOf(entry: AttributeValue): Date {
  try {
    return readPendingAttribute(entry).storedAt;
  } catch {
    // A damaged entry is found whatever its time is: the relay that reads it reports the problem.
    return new Date(Number.NaN);
  }
}
