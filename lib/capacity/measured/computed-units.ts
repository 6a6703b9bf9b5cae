import { readUnits, writeUnits } from '../../core/capacity-units.ts';
import { itemSize } from '../../core/item-size.ts';
import type { Item, RecordedCall, Units } from './recorded-call.ts';
import { type SeenItem, type SeenItems, seen } from './seen-items.ts';

/** One item that a call reads or writes, and what that takes. */
export interface ItemUnits extends Units {
  /** The item, or its key; of a query the values of its condition. */
  readonly item: Item;
  readonly items: number;
  /** Whether it is the least that it can be, as the item was never seen. */
  readonly isGuess?: boolean;
  /** Whether an item is deleted that is not there, as far as is known. */
  readonly isMissing?: boolean;
}

const transactionFactor = 2;

/** What a call takes that succeeded, as {@link itemUnits} says. */
export function computeUnits(call: RecordedCall, items: SeenItems): Units | undefined {
  const parts = itemUnits(call, items);
  return parts && sumOf(parts);
}

export function sumOf(parts: readonly Units[]): Units {
  return parts.reduce((sum, { rcu, wcu }) => ({ rcu: sum.rcu + rcu, wcu: sum.wcu + wcu }), {
    rcu: 0,
    wcu: 0,
  });
}

/**
 * What a call that succeeded takes by DynamoDB's rules, item by item, and its writes kept in mind for those that follow. Nothing
 * for calls that take no units, and for those that the rules say nothing of without the item.
 * Source: "DynamoDB provisioned capacity mode", on capacity unit consumption, in the Amazon DynamoDB Developer Guide.
 */
export function itemUnits(
  { operation, input, output }: RecordedCall,
  items: SeenItems,
): readonly ItemUnits[] | undefined {
  switch (operation) {
    case 'GetItem':
      return [readOf(input.TableName, input.Key ?? {}, output.Item, input.ConsistentRead === true, items)];
    case 'Query':
      return [query(input, output)];
    case 'BatchGetItem':
      return batchOfReads(input.RequestItems ?? {}, output, items);
    case 'PutItem':
      return [put(input.TableName, input.Item, items)];
    case 'DeleteItem':
      return [remove(input.TableName, input.Key, items)];
    case 'UpdateItem':
      return update(input, output, items);
    case 'BatchWriteItem':
      return batchOfWrites(input.RequestItems ?? {}, output, items);
    case 'TransactWriteItems':
      return transaction(input.TransactItems ?? [], items);
    default:
      return undefined;
  }
}

function query(
  input: { ConsistentRead?: boolean; ExpressionAttributeValues?: Item },
  output: { Items?: readonly Item[] },
): ItemUnits {
  const found = output.Items ?? [];
  const bytes = found.reduce((sum, item) => sum + itemSize(item), 0);
  const rcu = readUnits(bytes, input.ConsistentRead === true);
  return { item: input.ExpressionAttributeValues ?? {}, items: found.length, rcu, wcu: 0 };
}

interface Keys {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
}

function batchOfReads(
  requested: Readonly<Record<string, Keys>>,
  output: { Responses?: Record<string, readonly Item[]>; UnprocessedKeys?: Record<string, Keys> },
  items: SeenItems,
): ItemUnits[] {
  return Object.entries(requested).flatMap(([tableName, { Keys: keys, ConsistentRead: isConsistent }]) => {
    const found = output.Responses?.[tableName] ?? [];
    const left = output.UnprocessedKeys?.[tableName]?.Keys ?? [];
    return keys
      .filter((key) => !left.some((other) => isOf(key, other)))
      .map((key) =>
        readOf(
          tableName,
          key,
          found.find((item) => isOf(key, item)),
          isConsistent === true,
          items,
        ),
      );
  });
}

function readOf(
  tableName: string,
  key: Item,
  found: Item | undefined,
  isConsistent: boolean,
  items: SeenItems,
): ItemUnits {
  items.learnKey(tableName, key);
  if (found) items.put(tableName, found);
  return { item: key, items: 1, rcu: readUnits(found ? itemSize(found) : 0, isConsistent), wcu: 0 };
}

/** Whether the item has this key. */
function isOf(key: Item, item: Item): boolean {
  return Object.entries(key).every(([name, value]) => JSON.stringify(item[name]) === JSON.stringify(value));
}

interface BatchedWrite {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

function batchOfWrites(
  requested: Readonly<Record<string, readonly BatchedWrite[]>>,
  output: { UnprocessedItems?: Record<string, readonly BatchedWrite[]> },
  items: SeenItems,
): ItemUnits[] | undefined {
  if (Object.keys(output.UnprocessedItems ?? {}).length > 0) return undefined;
  return Object.entries(requested).flatMap(([tableName, batch]) =>
    batch.flatMap(({ PutRequest, DeleteRequest }) => [
      ...(PutRequest ? [put(tableName, PutRequest.Item, items)] : []),
      ...(DeleteRequest ? [remove(tableName, DeleteRequest.Key, items)] : []),
    ]),
  );
}

interface KeyedWrite {
  readonly TableName: string;
  readonly Key: Item;
  readonly ExpressionAttributeValues?: Item;
}

interface TransactedWrite {
  readonly Put?: { readonly TableName: string; readonly Item: Item };
  readonly Delete?: KeyedWrite;
  readonly Update?: KeyedWrite;
  readonly ConditionCheck?: KeyedWrite;
}

function transaction(writes: readonly TransactedWrite[], items: SeenItems): ItemUnits[] {
  return writes.flatMap(({ Put, Delete, Update, ConditionCheck }) => {
    if (Put) return [put(Put.TableName, Put.Item, items, transactionFactor)];
    if (Delete) return [remove(Delete.TableName, Delete.Key, items, transactionFactor)];
    const other = Update ?? ConditionCheck;
    return other ? [guess(other, items)] : [];
  });
}

/** A write whose item is not told: it is at least as large as it was, and as its key with the values that are set. */
function guess({ TableName, Key, ExpressionAttributeValues = {} }: KeyedWrite, items: SeenItems): ItemUnits {
  const bytes = Math.max(items.of(TableName, Key).bytes, itemSize(Key) + itemSize(ExpressionAttributeValues));
  return { item: Key, items: 1, rcu: 0, wcu: transactionFactor * writeUnits(bytes), isGuess: true };
}

/** Known only when the whole new item was asked for. */
function update(
  { TableName, Key, ReturnValues }: { TableName: string; Key: Item; ReturnValues?: string },
  output: { Attributes?: Item },
  items: SeenItems,
): ItemUnits[] | undefined {
  items.learnKey(TableName, Key);
  if (ReturnValues === 'ALL_NEW' && output.Attributes) return [put(TableName, output.Attributes, items)];
  items.remove(TableName, Key);
  return undefined;
}

/** By the larger one of the item before and after. */
function put(tableName: string, item: Item, items: SeenItems, factor = 1): ItemUnits {
  const before = items.of(tableName, item);
  const after = seen(item);
  items.put(tableName, item);
  const wcu = factor * writeUnits(Math.max(before.bytes, after.bytes)) + indexUnits(before, after);
  return { item, items: 1, rcu: 0, wcu };
}

function remove(tableName: string, key: Item, items: SeenItems, factor = 1): ItemUnits {
  items.learnKey(tableName, key);
  const before = items.of(tableName, key);
  items.remove(tableName, key);
  const wcu = factor * writeUnits(before.bytes) + indexUnits(before, undefined);
  return { item: key, items: 1, rcu: 0, wcu, isMissing: before.bytes === 0 };
}

/** An entry of the sparse index is a write of less than 1 KB when it comes and when it goes, outside of the transaction. */
function indexUnits(before: SeenItem, after: SeenItem | undefined): number {
  return before.isIndexed === (after?.isIndexed ?? false) ? 0 : 1;
}
