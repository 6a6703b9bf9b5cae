import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  paginateQuery,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../core/capacity-meter.ts';
import type { OutboxRecord } from '../core/commit.ts';
import { outboxChunkKey, outboxRecordKey } from '../core/keys.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { joinChunks } from '../core/packing.ts';
import type { Clock, OutboxStore } from '../ports.ts';
import { deleteItems } from './delete-items.ts';
import {
  expiry,
  fromRecordItem,
  incompleteRecord,
  type Outbox,
  type StoredRecord,
  unpackOperations,
} from './outbox-item.ts';
import { callDynamoDB } from './service-errors.ts';
import { keyAttributes } from './table.ts';

export interface DynamoDBOutboxStoreOptions {
  client: DynamoDBClient;
  outbox: Outbox;
  clock: Clock;
}

export class DynamoDBOutboxStore implements OutboxStore {
  readonly #client: DynamoDBClient;
  readonly #outbox: Outbox;
  readonly #clock: Clock;

  constructor({ client, outbox, clock }: DynamoDBOutboxStoreOptions) {
    this.#client = client;
    this.#outbox = outbox;
    this.#clock = clock;
  }

  async find(messageId: string, meter: CapacityMeter): Promise<OutboxRecord | undefined> {
    const { table, endpoint } = this.#outbox;
    const command = new GetItemCommand({
      TableName: table.tableName,
      Key: keyAttributes(table, outboxRecordKey(endpoint, messageId)),
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    });
    const output = await callDynamoDB('GetItem', [table.tableName], () => this.#client.send(command));
    meter.addRead(output.ConsumedCapacity?.CapacityUnits);
    const item = output.Item;
    if (item === undefined) return undefined;

    const stored = fromRecordItem(this.#outbox, messageId, item);
    const { dispatched, chunkCount } = stored;
    const operations = dispatched ? [] : await this.#operations(stored, messageId, meter);
    return { messageId, dispatched, operations, chunkCount };
  }

  async markDispatched(record: OutboxRecord, at: Date, meter: CapacityMeter): Promise<void> {
    const { table, endpoint } = this.#outbox;
    const command = new UpdateItemCommand({
      TableName: table.tableName,
      Key: keyAttributes(table, outboxRecordKey(endpoint, record.messageId)),
      UpdateExpression:
        'SET #dispatched = :true, #dispatchedAt = :at, #timeToLive = :expiresAt REMOVE #operations',
      // Without it, a record that is gone would come back as an item that no version can read.
      ConditionExpression: 'attribute_exists(#partitionKey)',
      ExpressionAttributeNames: {
        '#dispatched': 'dispatched',
        '#dispatchedAt': 'dispatchedAt',
        '#operations': 'operations',
        '#timeToLive': table.timeToLiveAttributeName,
        '#partitionKey': table.partitionKeyName,
      },
      ExpressionAttributeValues: {
        ':true': { BOOL: true },
        ':at': { S: at.toISOString() },
        ':expiresAt': expiry(this.#outbox, at),
      },
      ReturnConsumedCapacity: 'TOTAL',
    });
    try {
      const output = await callDynamoDB('UpdateItem', [table.tableName], () => this.#client.send(command));
      meter.addWrite(output.ConsumedCapacity?.CapacityUnits);
    } catch (error) {
      // Somebody deleted the record: its messages are dispatched all the same.
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
    await this.removeLeftovers(record, meter);
  }

  async removeLeftovers(record: OutboxRecord, meter: CapacityMeter): Promise<void> {
    const { table, endpoint } = this.#outbox;
    const chunkKeys = Array.from({ length: record.chunkCount }, (_, index) =>
      keyAttributes(table, outboxChunkKey(endpoint, record.messageId, index + 1)),
    );
    await deleteItems(this.#client, this.#clock, table.tableName, chunkKeys, meter);
  }

  async #operations(
    stored: StoredRecord,
    messageId: string,
    meter: CapacityMeter,
  ): Promise<OutgoingMessage[]> {
    const { chunkCount, operationCount } = stored;
    const packed =
      chunkCount === 0 ? stored.packed : joinChunks(await this.#chunks(messageId, chunkCount, meter));
    return unpackOperations(this.#outbox, messageId, packed, operationCount);
  }

  /** Reads just the record's own chunks: those of an expired record that had more of them may lie behind. */
  async #chunks(messageId: string, chunkCount: number, meter: CapacityMeter): Promise<Uint8Array[]> {
    const { table, endpoint } = this.#outbox;
    const first = outboxChunkKey(endpoint, messageId, 1);
    const last = outboxChunkKey(endpoint, messageId, chunkCount);
    const pages = paginateQuery(
      { client: this.#client },
      {
        TableName: table.tableName,
        KeyConditionExpression: '#partitionKey = :partition AND #sortKey BETWEEN :first AND :last',
        ExpressionAttributeNames: { '#partitionKey': table.partitionKeyName, '#sortKey': table.sortKeyName },
        ExpressionAttributeValues: {
          ':partition': { S: first.partition },
          ':first': { S: first.sort },
          ':last': { S: last.sort },
        },
        ConsistentRead: true,
        ReturnConsumedCapacity: 'TOTAL',
      },
    );
    const chunks: Uint8Array[] = [];
    await callDynamoDB('Query', [table.tableName], async () => {
      for await (const page of pages) {
        meter.addRead(page.ConsumedCapacity?.CapacityUnits);
        for (const item of page.Items ?? []) if (item.operations?.B) chunks.push(item.operations.B);
      }
    });
    if (chunks.length !== chunkCount) {
      throw incompleteRecord(this.#outbox, messageId, `${chunks.length} of ${chunkCount} chunks`);
    }
    return chunks;
  }
}
