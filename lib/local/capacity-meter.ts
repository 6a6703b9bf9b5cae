import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { itemSize } from '../core/item-size.ts';
import type { CallAnswer, ProxiedCall } from './proxied-call.ts';
import { fromWire, type WireItem } from './wire-item.ts';

/** What the calls to DynamoDB consumed. */
export interface CapacityTotals {
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

interface TransactWrite {
  readonly Put?: { readonly TableName: string; readonly Item: WireItem };
  readonly Update?: ItemWrite;
  readonly Delete?: ItemWrite;
  readonly ConditionCheck?: ItemWrite;
}

interface ItemWrite {
  readonly TableName: string;
  readonly Key: WireItem;
  readonly ExpressionAttributeValues?: WireItem;
}

const bytesPerWriteUnit = 1_024;
const bytesPerReadUnit = 4_096;
/** Transactions prepare and commit: each item costs twice. */
const transactionFactor = 2;
const readOperations: readonly string[] = ['GetItem', 'Query', 'Scan'];

interface BatchedKeys {
  readonly Keys: readonly WireItem[];
  readonly ConsistentRead?: boolean;
}

interface BatchedWrite {
  readonly PutRequest?: { readonly Item: WireItem };
  readonly DeleteRequest?: { readonly Key: WireItem };
}

/**
 * Sums the capacity of the calls that pass by. Plain reads and writes say what they consumed (it is asked for), and so do
 * batches of writes. What DynamoDB Local says of transactions is wrong, and of a batch of reads that does not find all, so
 * that those are computed from the sizes of their items; the size of an item that a transaction updates or deletes is the
 * one last seen under its key.
 */
export class CapacityMeter {
  readonly #keyNames: ReadonlyMap<string, readonly string[]>;
  readonly #sizes = new Map<string, number>();
  #calls = 0;
  #readUnits = 0;
  #writeUnits = 0;

  /** @param keyNames the key attributes of each table. */
  constructor(keyNames: ReadonlyMap<string, readonly string[]>) {
    this.#keyNames = keyNames;
  }

  get totals(): CapacityTotals {
    return { calls: this.#calls, readUnits: this.#readUnits, writeUnits: this.#writeUnits };
  }

  observe(call: ProxiedCall, answer: CallAnswer): void {
    if (call.service !== 'dynamodb') return;
    this.#calls += 1;
    if (call.operation === 'TransactWriteItems') this.#observeTransactWrite(call, answer);
    else if (call.operation === 'TransactGetItems') this.#observeTransactGet(answer);
    else if (call.operation === 'BatchGetItem') this.#observeBatchGet(call, answer);
    else if (call.operation === 'BatchWriteItem') this.#observeBatchWrite(call, answer);
    else if (answer.status === 200) this.#observePlain(call, answer);
    else if (failedCondition(answer))
      this.#writeUnits += writeUnits(this.#sizeOf(call.request as unknown as ItemWrite));
  }

  #observePlain({ operation, request }: ProxiedCall, { body }: CallAnswer): void {
    const units = consumedUnits(body.ConsumedCapacity);
    if (readOperations.includes(operation)) this.#readUnits += units;
    else this.#writeUnits += units;
    const {
      TableName: tableName,
      Key: key,
      Item: put,
    } = request as { TableName: string; Key?: WireItem; Item?: WireItem };
    const read = body.Item as WireItem | undefined;
    if (key !== undefined && read !== undefined) this.#sizes.set(keyOf(tableName, key), sizeOf(read));
    if (put !== undefined) this.#remember(tableName, put);
  }

  /** Each item by itself; one that is not found costs as much as the smallest. */
  #observeBatchGet({ request }: ProxiedCall, { status, body }: CallAnswer): void {
    if (status !== 200) return;
    const { RequestItems: requested = {} } = request as { RequestItems?: Record<string, BatchedKeys> };
    const { Responses: found = {}, UnprocessedKeys: left = {} } = body as {
      Responses?: Record<string, readonly WireItem[]>;
      UnprocessedKeys?: Record<string, BatchedKeys>;
    };
    for (const [tableName, { Keys: keys, ConsistentRead: isConsistent }] of Object.entries(requested)) {
      const price = isConsistent ? 1 : 0.5;
      const items = found[tableName] ?? [];
      const missed = keys.length - items.length - (left[tableName]?.Keys.length ?? 0);
      this.#readUnits += missed * price;
      for (const item of items) {
        this.#readUnits += readUnits(sizeOf(item)) * price;
        this.#remember(tableName, item);
      }
    }
  }

  #observeBatchWrite({ request }: ProxiedCall, { status, body }: CallAnswer): void {
    if (status !== 200) return;
    this.#writeUnits += consumedUnits(body.ConsumedCapacity);
    const { RequestItems: requested = {} } = request as { RequestItems?: Record<string, BatchedWrite[]> };
    for (const [tableName, writes] of Object.entries(requested)) {
      for (const { PutRequest: put } of writes) if (put) this.#remember(tableName, put.Item);
    }
  }

  #observeTransactWrite({ request }: ProxiedCall, answer: CallAnswer): void {
    if (answer.status !== 200 && !failedCondition(answer)) return;
    for (const {
      Put: put,
      Update: update,
      Delete: remove,
      ConditionCheck: check,
    } of (request.TransactItems ?? []) as TransactWrite[]) {
      const write = update ?? remove ?? check;
      const size = put === undefined ? (write === undefined ? 0 : this.#sizeOf(write)) : sizeOf(put.Item);
      this.#writeUnits += transactionFactor * writeUnits(size);
      if (answer.status === 200 && put !== undefined) this.#remember(put.TableName, put.Item);
    }
  }

  #observeTransactGet({ body }: CallAnswer): void {
    for (const { Item: item } of (body.Responses ?? []) as { Item?: WireItem }[]) {
      this.#readUnits += transactionFactor * readUnits(item === undefined ? 0 : sizeOf(item));
    }
  }

  /** An update is at least as large as its key with the values that it sets. */
  #sizeOf({ TableName: tableName, Key: key, ExpressionAttributeValues: values }: ItemWrite): number {
    if (key === undefined) return 0;
    const written = sizeOf(key) + (values === undefined ? 0 : sizeOf(values));
    return Math.max(this.#sizes.get(keyOf(tableName, key)) ?? 0, written);
  }

  #remember(tableName: string, item: WireItem): void {
    const names = this.#keyNames.get(tableName);
    if (names === undefined) return;
    const key = Object.fromEntries(names.map((name) => [name, item[name]]));
    this.#sizes.set(keyOf(tableName, key), sizeOf(item));
  }
}

function failedCondition({ body }: CallAnswer): boolean {
  return /ConditionalCheckFailed/.test(JSON.stringify(body));
}

function consumedUnits(consumed: unknown): number {
  const all = (Array.isArray(consumed) ? consumed : [consumed]) as ({ CapacityUnits?: number } | undefined)[];
  return all.reduce((total, capacity) => total + (capacity?.CapacityUnits ?? 0), 0);
}

function keyOf(tableName: string, key: WireItem): string {
  return `${tableName}|${JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}

function sizeOf(item: WireItem): number {
  return itemSize(fromWire(item) as Record<string, AttributeValue>);
}

function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / bytesPerWriteUnit));
}

function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / bytesPerReadUnit));
}
