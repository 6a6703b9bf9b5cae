import { itemSize } from 'sagabox';
import type { Call } from '../contention/call-counter.ts';
import type { Item } from './contender.ts';
import type { ItemSizes } from './item-sizes.ts';

export interface Units {
  readonly rcu: number;
  readonly wcu: number;
}

export const noUnits: Units = { rcu: 0, wcu: 0 };

const readUnitBytes = 4096;
const writeUnitBytes = 1024;
const transactionFactor = 2;

/**
 * What a call that succeeded takes by DynamoDB's rules, and its writes kept in mind for those that follow. Nothing for calls
 * that take no units, and for an update, whose item is not known from its request.
 * Source: "DynamoDB provisioned capacity mode", on capacity unit consumption, in the Amazon DynamoDB Developer Guide.
 */
export function computeUnits({ operation, input, output }: Call, sizes: ItemSizes): Units | undefined {
  switch (operation) {
    case 'GetItem':
      return reads(readUnits(output.Item ? itemSize(output.Item) : 0, input.ConsistentRead));
    case 'Query': {
      const bytes = (output.Items ?? []).reduce((sum: number, item: Item) => sum + itemSize(item), 0);
      return reads(readUnits(bytes, input.ConsistentRead));
    }
    case 'BatchGetItem':
      return batchOfReads(input.RequestItems ?? {}, output);
    case 'PutItem':
      return writes(put(input.TableName, input.Item, sizes));
    case 'DeleteItem':
      return writes(remove(input.TableName, input.Key, sizes));
    case 'UpdateItem':
      sizes.remove(input.TableName, input.Key);
      return undefined;
    case 'BatchWriteItem':
      return batchOfWrites(input.RequestItems ?? {}, output, sizes);
    case 'TransactWriteItems':
      return writes(transactionFactor * transaction(input.TransactItems ?? [], sizes));
    default:
      return undefined;
  }
}

/** A read that finds nothing takes as much as one of the smallest item. */
export function readUnits(bytes: number, consistentRead = false): number {
  return Math.max(1, Math.ceil(bytes / readUnitBytes)) * (consistentRead ? 1 : 0.5);
}

export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / writeUnitBytes));
}

interface Keys {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
}

function batchOfReads(
  requested: Readonly<Record<string, Keys>>,
  output: { Responses?: Record<string, readonly Item[]>; UnprocessedKeys?: Record<string, Keys> },
): Units {
  let units = 0;
  for (const [tableName, { Keys: keys, ConsistentRead: isConsistent }] of Object.entries(requested)) {
    const found = output.Responses?.[tableName] ?? [];
    const left = output.UnprocessedKeys?.[tableName]?.Keys.length ?? 0;
    units += (keys.length - left - found.length) * readUnits(0, isConsistent);
    for (const item of found) units += readUnits(itemSize(item), isConsistent);
  }
  return reads(units);
}

interface BatchedWrite {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

function batchOfWrites(
  requested: Readonly<Record<string, readonly BatchedWrite[]>>,
  output: { UnprocessedItems?: Record<string, readonly BatchedWrite[]> },
  sizes: ItemSizes,
): Units | undefined {
  if (Object.keys(output.UnprocessedItems ?? {}).length > 0) return undefined;
  let units = 0;
  for (const [tableName, batch] of Object.entries(requested)) {
    for (const { PutRequest, DeleteRequest } of batch) {
      if (PutRequest) units += put(tableName, PutRequest.Item, sizes);
      if (DeleteRequest) units += remove(tableName, DeleteRequest.Key, sizes);
    }
  }
  return writes(units);
}

interface TransactedWrite {
  readonly Put?: { readonly TableName: string; readonly Item: Item };
  readonly Delete?: { readonly TableName: string; readonly Key: Item };
}

function transaction(items: readonly TransactedWrite[], sizes: ItemSizes): number {
  let units = 0;
  for (const { Put, Delete } of items) {
    if (Put) units += put(Put.TableName, Put.Item, sizes);
    else if (Delete) units += remove(Delete.TableName, Delete.Key, sizes);
    else throw new Error('The units of a transaction with anything but puts and deletes cannot be computed');
  }
  return units;
}

/** By the larger one of the item before and after. */
function put(tableName: string, item: Item, sizes: ItemSizes): number {
  const before = sizes.of(tableName, item);
  sizes.put(tableName, item);
  return writeUnits(Math.max(before, itemSize(item)));
}

function remove(tableName: string, key: Item, sizes: ItemSizes): number {
  const before = sizes.of(tableName, key);
  sizes.remove(tableName, key);
  return writeUnits(before);
}

function reads(rcu: number): Units {
  return { rcu, wcu: 0 };
}

function writes(wcu: number): Units {
  return { rcu: 0, wcu };
}
