import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { itemSize } from '../../dynamodb/item-size.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { limits } from '../../kernel/limits.ts';
import { invalidSagaStore } from '../../saga/custom-store/invalid-saga-store.dynamodb.ts';
import { invalidItem } from '../../sending/transaction-item.ts';
import { assertTransactionBytes } from '../commit.ts';
import { keyedPart, type PlannedWrite } from './planned-write.dynamodb.ts';

/**
 * Refuses, before any call, writes that DynamoDB would refuse as a whole.
 *
 * @returns the bytes of all writes
 */
export function assertWithinLimits(writes: readonly PlannedWrite[]): number {
  let bytes = 0;
  for (const write of writes) bytes += assertItemFits(write);
  assertTransactionBytes(bytes);
  assertOneWritePerItem(writes);
  return bytes;
}

function assertItemFits(write: PlannedWrite): number {
  const written = reading(write, () => writtenBytes(write.item));
  const bytes = itemBytes(write, written);
  const maximum = maximumBytesOf(write);
  if (bytes > maximum) throw new SagaboxError('ItemTooLarge', { item: describeWrite(write), bytes, maximum });
  return bytes;
}

function maximumBytesOf(write: PlannedWrite): number {
  if (write.role === 'embedded') return write.maximumBytes;
  return write.role === 'saga' ? limits.sagaItemBytes : limits.itemBytes;
}

/** Returns the bytes of a write in its transaction, whose 4 MB a deleted item counts towards as a whole. */
function itemBytes(write: PlannedWrite, written: number): number {
  if (write.role === 'contribution') return write.deletedBytes ?? written;
  return write.role === 'embedded' ? write.itemBytes : written;
}

/** Reads attributes: what a handler or a user's store gives may be no attributes at all. */
function reading<T>(write: PlannedWrite, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const problem = `its attributes cannot be read: ${thrownMessage(error)}`;
    if (write.role === 'user') throw invalidItem(write.index, problem);
    if (write.role !== 'customSaga') throw error;
    throw invalidSagaStore(write.saga.saga, `write ${write.index} of writesOf is refused: ${problem}`, error);
  }
}

/** Returns the size of a put's item; of an update, only of what is sent, as the item is not known here. */
export function writtenBytes({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): number {
  if (Put) return itemSize(Put.Item ?? {});
  const keyed = Update ?? Delete ?? ConditionCheck;
  return itemSize(keyed?.Key ?? {}) + itemSize(Update?.ExpressionAttributeValues ?? {});
}

/** Refuses a second write of one item. The writes of sagabox itself are all of different items. */
function assertOneWritePerItem(writes: readonly PlannedWrite[]): void {
  if (writes.every(({ role }) => role !== 'user' && role !== 'customSaga')) return;
  const keyNames = new Map<string, string[]>();
  for (const { item } of writes) {
    const keyed = item.Update ?? item.Delete ?? item.ConditionCheck;
    if (keyed?.TableName && keyed.Key) keyNames.set(keyed.TableName, Object.keys(keyed.Key));
  }
  const seen = new Set<string>();
  for (const write of writes) {
    const target = reading(write, () => targetOf(write.item, keyNames));
    if (target !== undefined && seen.has(target)) {
      throw new SagaboxError('RequestRejected', {
        detail: `${describeWrite(write)} is the second write of one item: a transaction takes one each, so merge them`,
      });
    }
    if (target !== undefined) seen.add(target);
  }
}

/**
 * Returns an id of the written item; `undefined` for a put on a table whose key names no other write of the
 * transaction tells: DynamoDB checks such puts itself.
 */
function targetOf(item: TransactWriteItem, keyNames: ReadonlyMap<string, string[]>): string | undefined {
  const write = keyedPart(item);
  const tableName = write?.TableName ?? '';
  const names = keyNames.get(tableName);
  const attributes: Record<string, AttributeValue> | undefined =
    item.Put?.Item ?? (write && 'Key' in write ? write.Key : undefined);
  if (names === undefined || attributes === undefined) return undefined;
  return JSON.stringify([tableName, ...names.toSorted().map((name) => attributes[name])]);
}

export function describeWrite(write: PlannedWrite): string {
  switch (write.role) {
    case 'customSaga':
      return `Write ${write.index} of the sagaStore for the '${write.saga.saga.name}' saga with id '${write.saga.saga.id}'`;
    case 'saga':
    case 'embedded':
      return `The '${write.saga.saga.name}' saga with id '${write.saga.saga.id}'`;
    case 'outbox':
      return `The outbox record of message '${write.messageId}'`;
    case 'contribution':
      return `A contribution under '${write.key}' to the '${write.saga.name}' saga with id '${write.saga.id}'`;
    case 'chunk':
      return 'A chunk of the outbox record';
    case 'user':
      return `Write ${write.index}, added with transaction.add,`;
  }
}
