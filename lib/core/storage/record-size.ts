import type { Fingerprint } from '../incoming/fingerprint.ts';
import { writeUnits } from './capacity-units.ts';
import { itemSize } from './item-size.ts';
import { messageIdOfPartition, outboxChunkKey, outboxRecordKey } from './keys.ts';
import { relayIndex, relayShard } from './relay-index.ts';
import { tableDefaults } from './table-defaults.ts';

/** What decides on the size of a record with something to send. */
export interface SizedRecord {
  readonly messageId: string;
  readonly storedAt: Date;
  readonly fingerprint?: Fingerprint | undefined;
  readonly operations: readonly unknown[];
  readonly encoding: string | undefined;
  readonly packed: Uint8Array | undefined;
  readonly chunks: readonly Uint8Array[];
}

/** Write units of a record and its chunks by themselves; in a transaction each counts twice. */
export function recordWriteUnits(endpoint: string, record: SizedRecord, isIndexed = false): number {
  return recordItemSizes(endpoint, record, isIndexed).reduce((total, bytes) => total + writeUnits(bytes), 0);
}

/**
 * Bytes of the record and of each of its chunks, as items of a table with the default attribute names: with others, the choice of
 * what is cheaper is off by some bytes.
 */
export function recordItemSizes(endpoint: string, record: SizedRecord, isIndexed = false): number[] {
  const { messageId, storedAt, fingerprint, operations, encoding, packed, chunks } = record;
  const { partition, sort } = outboxRecordKey(endpoint, messageId);
  const isToldByKey = messageIdOfPartition(endpoint, partition) !== undefined;
  const schemaVersion = { N: '1' };
  const recordBytes = itemSize({
    [tableDefaults.partitionKeyName]: { S: partition },
    [tableDefaults.sortKeyName]: { S: sort },
    dispatched: { BOOL: false },
    operationCount: { N: String(operations.length) },
    chunkCount: { N: String(chunks.length) },
    storedAt: { S: storedAt.toISOString() },
    schemaVersion,
    ...(isIndexed ? { [relayIndex.partitionKeyName]: { S: relayShard(endpoint, messageId) } } : {}),
    ...(isToldByKey ? {} : { messageId: { S: messageId } }),
    ...(fingerprint === undefined ? {} : { hash: { B: fingerprint } }),
    ...(packed === undefined ? {} : { operations: { B: packed } }),
    ...(encoding === undefined ? {} : { encoding: { S: encoding } }),
  });
  const chunkSizes = chunks.map((chunk, index) => {
    const key = outboxChunkKey(endpoint, messageId, index + 1);
    return itemSize({
      [tableDefaults.partitionKeyName]: { S: key.partition },
      [tableDefaults.sortKeyName]: { S: key.sort },
      operations: { B: chunk },
      schemaVersion,
    });
  });
  return [recordBytes, ...chunkSizes];
}
