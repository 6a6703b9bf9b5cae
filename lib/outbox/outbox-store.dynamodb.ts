import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { queryItems } from '../dynamodb/calls/query-items.ts';
import type { ReadBatcher } from '../dynamodb/calls/read-batcher.ts';
import type { WriteBatcher } from '../dynamodb/calls/write-batcher.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { type Item, keyAttributes } from '../dynamodb/item-attributes.ts';
import { outboxChunkKey } from '../dynamodb/keys.ts';
import { settleAll } from '../kernel/async/settle.ts';
import type { OutgoingOperation } from '../messages/message.ts';
import type { OutboxStore } from './outbox-store.ts';
import { joinChunks, MAX_PACKED_ITEM_BYTES } from './packing.ts';
import type { OutboxRecord } from './record.ts';
import {
  fromRecordItem,
  incompleteRecord,
  type OutboxTarget,
  recordTarget,
  type StoredRecord,
  storedBytes,
  toDispatchedItem,
  unpackOperations,
} from './record-item.dynamodb.ts';
import { isAllSent, type SentBitmap, sentBitmap } from './sent-bitmap.ts';
import { writeSent } from './sent-progress.dynamodb.ts';
import { isLeaseOnly } from './unstored-condition.dynamodb.ts';

export interface DynamoDBOutboxStoreOptions {
  client: DynamoDBClient;
  outbox: OutboxTarget;
  reads: ReadBatcher;
  writes: WriteBatcher;
}

export class DynamoDBOutboxStore implements OutboxStore {
  readonly #options: DynamoDBOutboxStoreOptions;

  constructor(options: DynamoDBOutboxStoreOptions) {
    this.#options = options;
  }

  async find(messageId: string, meter: CapacityMeter): Promise<OutboxRecord | undefined> {
    const { outbox, reads } = this.#options;
    const { TableName: tableName, Key: key } = recordTarget(outbox, messageId);
    const item = await reads.read({ tableName, key, consistentRead: true, meter });
    return item && (await this.read(messageId, item, meter));
  }

  /** @returns undefined for a lease on a request that is not stored yet */
  async read(messageId: string, item: Item, meter: CapacityMeter): Promise<OutboxRecord | undefined> {
    if (isLeaseOnly(item)) return undefined;
    const { outbox } = this.#options;
    const stored = fromRecordItem(outbox, messageId, item);
    const { dispatched, storedAt, fingerprint, chunkCount, lease, sent, response } = stored;
    const operations = dispatched ? [] : await this.#operations(stored, messageId, meter);
    return {
      messageId,
      dispatched,
      storedAt,
      fingerprint,
      operations,
      chunkCount,
      ...(lease && { lease }),
      ...(sent && !dispatched && { sent }),
      ...(response && { response }),
    };
  }

  /**
   * Puts the whole record anew, without a condition, as batched writes take none. Nothing is lost: sent
   * messages stay sent, and a record that is gone by now comes back, which only lengthens its deduplication.
   *
   * The chunks are deleted before the put, so that a dispatched record never has any: nothing would delete
   * the chunks of an expired record. Before that, all operations are kept as sent, so that after a crash in
   * between no reader needs the chunks.
   */
  async markDispatched(
    record: OutboxRecord,
    at: Date,
    meter: CapacityMeter,
    signal?: AbortSignal,
  ): Promise<void> {
    const { outbox, writes } = this.#options;
    if (record.chunkCount > 0) {
      const { outcome } = await writeSent(this.#options, record, allSent(record), meter);
      if (outcome === 'dispatched') return;
      await this.#deleteChunks(record, meter);
    }
    const { TableName: tableName, Key: key } = recordTarget(outbox, record.messageId);
    const item = toDispatchedItem(outbox, record, at);
    await writes.write({ tableName, key, item, bytes: storedBytes(item, record), meter, signal });
  }

  async saveProgress(record: OutboxRecord, sent: SentBitmap, meter: CapacityMeter): Promise<SentBitmap> {
    const kept = await writeSent(this.#options, record, sent, meter);
    return kept.outcome === 'kept' ? kept.sent : sent;
  }

  async #deleteChunks({ messageId, chunkCount }: OutboxRecord, meter: CapacityMeter): Promise<void> {
    const { outbox, writes } = this.#options;
    const { table, endpoint } = outbox;
    const deletes = Array.from({ length: chunkCount }, (_, index) =>
      writes.write({
        tableName: table.tableName,
        key: keyAttributes(table, outboxChunkKey(endpoint, messageId, index + 1)),
        item: undefined,
        // All chunks but the last one are full.
        bytes: MAX_PACKED_ITEM_BYTES,
        meter,
      }),
    );
    await settleAll(deletes);
  }

  async #operations(
    stored: StoredRecord,
    messageId: string,
    meter: CapacityMeter,
  ): Promise<OutgoingOperation[]> {
    const { chunkCount, operationCount, sent } = stored;
    // A mark was begun and has to be made again: the chunks may be gone, and are not needed any more.
    if (chunkCount > 0 && isAllSent(sent, operationCount)) return [];
    const packed =
      chunkCount === 0 ? stored.packed : joinChunks(await this.#chunks(messageId, chunkCount, meter));
    return unpackOperations(this.#options.outbox, messageId, packed, stored);
  }

  /** Reads only the record's own chunks: those of an expired record that had more of them may follow. */
  async #chunks(messageId: string, chunkCount: number, meter: CapacityMeter): Promise<Uint8Array[]> {
    const { client, outbox } = this.#options;
    const { table, endpoint } = outbox;
    const first = outboxChunkKey(endpoint, messageId, 1);
    const last = outboxChunkKey(endpoint, messageId, chunkCount);
    const query = {
      TableName: table.tableName,
      KeyConditionExpression: '#partitionKey = :partition AND #sortKey BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#partitionKey': table.partitionKeyName, '#sortKey': table.sortKeyName },
      ExpressionAttributeValues: {
        ':partition': { S: first.partition },
        ':first': { S: first.sort },
        ':last': { S: last.sort },
      },
      ConsistentRead: true,
    };
    const chunks: Uint8Array[] = [];
    for await (const { operations } of queryItems(client, query, meter)) {
      if (operations?.B) chunks.push(operations.B);
    }
    if (chunks.length !== chunkCount) {
      throw incompleteRecord(outbox, messageId, `${chunks.length} of ${chunkCount} chunks`);
    }
    return chunks;
  }
}

/** Returns the bitmap of a record that is sent as a whole. A record without its operations has it already. */
function allSent({ operations, sent }: OutboxRecord): SentBitmap {
  return operations.length === 0 && sent ? sent : sentBitmap(operations.map(() => true));
}
