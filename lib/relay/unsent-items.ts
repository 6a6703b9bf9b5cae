import { type Item, keyAttributes, type TableAttributes } from '../dynamodb/item-attributes.ts';
import { messageIdOfPartition, type UnsentIdentity, unsentKey } from '../dynamodb/keys.ts';
import type { StoredAttributes } from '../dynamodb/stored-attributes.ts';

/** What the list of an endpoint says of something that was not sent: where it is. */
export interface UnsentItem extends UnsentIdentity {
  readonly endpoint: string;
  /** Undefined where the item has to be read for it. */
  readonly messageId: string | undefined;
  readonly storedAt: Date;
}

/**
 * Without a time to live: what is on the list stays there until its mark was seen. A record is found by its key, which
 * tells its message, or by the record itself where that is too long for a key.
 */
export function unsentItem(
  table: TableAttributes,
  { endpoint, storedAt, partition, entryKey, messageId }: UnsentItem,
): Item {
  const attributes: StoredAttributes = {
    itemPartition: { S: partition },
    ...(entryKey !== undefined && {
      entryKey: { S: entryKey },
      ...(messageId !== undefined && { messageId: { S: messageId } }),
    }),
  };
  return { ...attributes, ...keyAttributes(table, unsentKey(endpoint, storedAt, { partition, entryKey })) };
}

/** Undefined for an item that is no part of the list. */
export function readUnsentItem(
  { sortKeyName }: TableAttributes,
  endpoint: string,
  item: Item,
): UnsentItem | undefined {
  const partition = item.itemPartition?.S;
  const storedAt = new Date(item[sortKeyName]?.S?.split('#')[0] ?? Number.NaN);
  if (partition === undefined || Number.isNaN(storedAt.getTime())) return undefined;
  const entryKey = item.entryKey?.S;
  const messageId = entryKey === undefined ? messageIdOfPartition(endpoint, partition) : item.messageId?.S;
  return { endpoint, storedAt, partition, messageId, entryKey };
}
