import {
  type AttributeValue,
  type ConsumedCapacity,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { itemSize } from '../../../lib/dynamodb/item-size.ts';
import type { Item } from '../../support/raw-items.ts';
import type { Bench } from './behaviour.ts';

/** The name of the error that a call is refused with, or 'accepted'. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'accepted';
  } catch (error) {
    return (error as Error).name;
  }
}

/** What a call is refused with; undefined where it is accepted. */
export async function refusalOf<Refusal extends Error = Error>(
  call: Promise<unknown>,
): Promise<Refusal | undefined> {
  return await call.then(
    () => undefined,
    (error: Refusal) => error,
  );
}

export async function put({ client, tableName }: Bench, item: Item): Promise<void> {
  await client.send(new PutItemCommand({ TableName: tableName, Item: item }));
}

export async function read({ client, tableName }: Bench, Key: Item): Promise<Item | undefined> {
  return (await client.send(new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }))).Item;
}

/** Of an item, besides its key. */
export function attributesOf(item: Item | undefined): Item | undefined {
  if (item === undefined) return undefined;
  const { PK, SK, ...attributes } = item;
  return attributes;
}

/** An item of so many bytes, by the attribute `filling`. */
export function sized(key: Item, bytes: number): Item {
  return { ...key, filling: padOf(bytes - itemSize({ ...key, filling: { S: '' } })) };
}

export function padOf(bytes: number): AttributeValue {
  return { S: 'x'.repeat(bytes) };
}

/** Stores an item of so many bytes; returns its key. */
export async function stored(bench: Bench, bytes: number): Promise<Item> {
  const key = bench.newKey();
  await put(bench, sized(key, bytes));
  return key;
}

export function putOf({ tableName: TableName }: Bench, Item: Item, rest: object = {}): TransactWriteItem {
  return { Put: { TableName, Item, ...rest } };
}

export function deleteOf({ tableName: TableName }: Bench, Key: Item, rest: object = {}): TransactWriteItem {
  return { Delete: { TableName, Key, ...rest } };
}

/** @param condition of the key alone */
export function checkOf(
  { tableName: TableName }: Bench,
  Key: Item,
  condition: 'attribute_exists' | 'attribute_not_exists',
): TransactWriteItem {
  return { ConditionCheck: { TableName, Key, ConditionExpression: `${condition}(PK)` } };
}

export async function transact(
  { client }: Bench,
  items: TransactWriteItem[],
  ClientRequestToken?: string,
): Promise<ConsumedCapacity[]> {
  const command = new TransactWriteItemsCommand({
    TransactItems: items,
    ReturnConsumedCapacity: 'TOTAL',
    ...(ClientRequestToken !== undefined && { ClientRequestToken }),
  });
  return (await client.send(command)).ConsumedCapacity ?? [];
}

/** The reasons of a transaction that is cancelled; the name of the error of one that is refused otherwise. */
export async function reasonsOf(bench: Bench, items: TransactWriteItem[]) {
  const refusal = await refusalOf(transact(bench, items));
  if (!(refusal instanceof TransactionCanceledException)) return refusal?.name ?? 'accepted';
  return (refusal.CancellationReasons ?? []).map(({ Code, Item: item }) => (item ? { Code, item } : Code));
}

/** Units of one answer, or of the tables of a batch or transaction together. */
export function unitsOf(consumed: ConsumedCapacity | ConsumedCapacity[] | undefined): number | undefined {
  if (consumed === undefined) return undefined;
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

/** Units of one call; its command asks for them {@link withUnits}. */
export async function unitsOfCall(call: Promise<{ ConsumedCapacity?: Parameters<typeof unitsOf>[0] }>) {
  return unitsOf((await call).ConsumedCapacity);
}

export const withUnits = { ReturnConsumedCapacity: 'TOTAL' } as const;
