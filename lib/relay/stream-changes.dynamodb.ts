import { type ItemKey, RECORD_SORT_KEY, SAGA_SORT_KEY } from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';
import type { TableChange } from './streamed-table.ts';

/** A record of a table's stream as Lambda gives it, with the fields that the watcher reads. */
export interface StreamRecord {
  readonly eventName?: unknown;
  readonly dynamodb?: unknown;
}

/**
 * Returns the changes of items that can hold something to send. An image is read only for that, so that no
 * form of an item can stop the watcher. Without an image, as in a stream of keys, the item has to be read.
 */
export function changesOf(records: readonly StreamRecord[], table: Table): TableChange[] {
  return records.flatMap(({ eventName, dynamodb }) => {
    if (!isJsonObject(dynamodb)) return [];
    const item = keyIn(dynamodb.Keys, table);
    if (item === undefined) return [];
    const mayBeUnsent = eventName !== 'REMOVE' && showsUnsent(dynamodb.NewImage, item);
    return [{ item, sequence: sequenceOf(dynamodb.SequenceNumber), mayBeUnsent }];
  });
}

/** Returns the key of an item; `undefined` for an item that cannot hold anything to send. */
function keyIn(keys: unknown, { partitionKeyName, sortKeyName }: Table): ItemKey | undefined {
  const partition = valueIn(keys, partitionKeyName, 'S');
  const sort = valueIn(keys, sortKeyName, 'S');
  if (typeof partition !== 'string') return undefined;
  return sort === RECORD_SORT_KEY || sort === SAGA_SORT_KEY ? { partition, sort } : undefined;
}

function showsUnsent(image: unknown, { sort }: ItemKey): boolean {
  if (!isJsonObject(image)) return true;
  if (sort === RECORD_SORT_KEY) return valueIn(image, 'dispatched', 'BOOL') === false;
  const pending = valueIn(image, 'pending', 'M');
  return isJsonObject(pending) && Object.keys(pending).length > 0;
}

function valueIn(image: unknown, name: string, type: 'S' | 'BOOL' | 'M'): unknown {
  const attribute = isJsonObject(image) ? image[name] : undefined;
  return isJsonObject(attribute) ? attribute[type] : undefined;
}

/**
 * Source: "SequenceNumber" of the DynamoDB Streams API, 21 to 40 digits. Records without one keep their
 * order.
 */
function sequenceOf(number: unknown): bigint {
  return typeof number === 'string' && /^\d{1,40}$/.test(number) ? BigInt(number) : 0n;
}
