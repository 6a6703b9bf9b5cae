import { setTimeout as delay } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  GetItemCommand,
  paginateQuery,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { headerNames } from 'sagabox';
import { settleAll } from '../../lib/kernel/async/settle.ts';
import { limits } from '../../lib/kernel/limits.ts';
import type { SqsEventRecord } from '../../lib/local/lambda/sqs-event.ts';
import type { Resources } from '../engines/resources.ts';
import type { StartContender } from '../orders/contender.ts';
import type { OrderState } from '../orders/order-data.ts';
import type { OrderMessage } from '../orders/order-messages.ts';
import * as items from './itemized-items.ts';

const deduplicationSeconds = 7 * 24 * 3600;
/** The first one, and the usual five immediate retries. */
const maxAttempts = 6;
const sendBatchEntries = 10;
const returned = { ReturnConsumedCapacity: 'TOTAL' } as const;

/**
 * The published way to keep an outbox in DynamoDB: an item of metadata for each incoming message, and one
 * more for each outgoing message, with a sequence of calls that each message makes by itself. Source:
 * "Capacity planning" in the documentation of NServiceBus.Persistence.DynamoDB.
 */
export const startItemized: StartContender = (resources) => {
  const peer = new ItemizedPeer(resources);
  return async ({ Records }) => {
    await settleAll(Records.map((record) => peer.handle(messageOf(record))));
  };
};

class ItemizedPeer {
  readonly #resources: Resources;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  /** Starts over if another message changed the saga in between. */
  async handle(message: OrderMessage): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(message);
      } catch (error) {
        if (!(error instanceof TransactionCanceledException) || attempt === maxAttempts) throw error;
      }
    }
  }

  async #attempt(message: OrderMessage): Promise<void> {
    const partition = items.outboxPartition(message.id);
    const stored = await this.#find(partition);
    const metadata = stored.find(items.isMetadata);
    if (metadata?.dispatched?.BOOL === true) return;
    const operations = metadata
      ? stored.filter(items.isOperation).map((item) => JSON.parse(items.operationOf(item)) as items.Operation)
      : await this.#process(message, partition);
    await this.#dispatch(operations);
    await this.#mark(partition);
    await this.#clear(partition, operations.length);
  }

  async #find(partition: string): Promise<items.Item[]> {
    const { dynamoDBClient: client, tableName: TableName } = this.#resources;
    const found: items.Item[] = [];
    const query = {
      TableName,
      KeyConditionExpression: 'PK = :partition',
      ExpressionAttributeValues: { ':partition': { S: partition } },
      ConsistentRead: true,
      ...returned,
    };
    for await (const { Items = [] } of paginateQuery({ client }, query)) found.push(...Items);
    return found;
  }

  /** Loads the saga, runs the handler, and commits: only the metadata of a discarded message. */
  async #process(message: OrderMessage, partition: string): Promise<readonly items.Operation[]> {
    const { dynamoDBClient, tableName: TableName } = this.#resources;
    const Key = items.sagaKey(message.body.orderId);
    const { Item: saga } = await dynamoDBClient.send(
      new GetItemCommand({ TableName, Key, ConsistentRead: true, ...returned }),
    );
    const state = stateAfter(message, saga && items.stateOf(saga));
    const at = new Date();
    const operations = (state ? message.body.parcels : []).map((parcel, ordinal) =>
      items.toOperation(parcel, message.id, ordinal, at),
    );
    const isNew = { ConditionExpression: 'attribute_not_exists(PK)' };
    const version = saga?.version ?? { N: '0' };
    const isAsRead = saga && {
      ConditionExpression: 'version = :read',
      ExpressionAttributeValues: { ':read': version },
    };
    const sagaItem = state && items.toSagaItem(Key, state, Number(version.N) + 1, at);
    const metadata = items.toMetadataItem(partition, message.id, operations.length, at);
    const writes: TransactWriteItem[] = [
      ...(sagaItem ? [{ Put: { TableName, Item: sagaItem, ...(isAsRead ?? isNew) } }] : []),
      { Put: { TableName, Item: metadata, ...isNew } },
      ...operations.map((operation, ordinal) => ({
        Put: { TableName, Item: items.toOperationItem(partition, operation, ordinal) },
      })),
    ];
    await dynamoDBClient.send(new TransactWriteItemsCommand({ TransactItems: writes, ...returned }));
    return operations;
  }

  async #dispatch(operations: readonly items.Operation[]): Promise<void> {
    const { sqsClient, queueUrl: QueueUrl } = this.#resources;
    for (const batch of slices(operations, sendBatchEntries)) {
      const { Failed: [failed] = [] } = await sqsClient.send(
        new SendMessageBatchCommand({ QueueUrl, Entries: batch.map(toEntry) }),
      );
      if (failed) throw new Error(`SQS refused a message: ${failed.Message}`);
    }
  }

  async #mark(partition: string): Promise<void> {
    const { dynamoDBClient, tableName: TableName } = this.#resources;
    const at = new Date();
    await dynamoDBClient.send(
      new UpdateItemCommand({
        TableName,
        Key: items.metadataKey(partition),
        UpdateExpression: 'SET dispatched = :true, dispatchedAt = :at, ExpiresAt = :expiry',
        ExpressionAttributeValues: {
          ':true': { BOOL: true },
          ':at': { S: at.toISOString() },
          ':expiry': { N: String(Math.ceil(at.getTime() / 1000) + deduplicationSeconds) },
        },
        ...returned,
      }),
    );
  }

  async #clear(partition: string, operations: number): Promise<void> {
    const { dynamoDBClient, tableName } = this.#resources;
    const deletes = Array.from({ length: operations }, (_, ordinal): WriteRequest => {
      return { DeleteRequest: { Key: items.operationKey(partition, ordinal) } };
    });
    for (const batch of slices(deletes, limits.batchWriteItems)) {
      for (let left: WriteRequest[] = batch, round = 0; left.length > 0; round += 1) {
        if (round > 0) await delay(25 * 2 ** round);
        const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: left }, ...returned });
        left = (await dynamoDBClient.send(command)).UnprocessedItems?.[tableName] ?? [];
      }
    }
  }
}

/** The handler: undefined for a message that starts no saga and finds none. */
function stateAfter(message: OrderMessage, state: OrderState | undefined): OrderState | undefined {
  if (message.type === 'OrderPlaced') return message.body.order;
  return state && { ...state, lastMessageId: message.id };
}

function messageOf({ body, messageAttributes }: SqsEventRecord): OrderMessage {
  return {
    id: messageAttributes[headerNames.messageId]?.stringValue,
    type: messageAttributes[headerNames.messageType]?.stringValue,
    body: JSON.parse(body),
  } as OrderMessage;
}

function toEntry({ id, type, headers, body }: items.Operation, index: number) {
  const attributes = Object.entries({ MessageId: id, MessageType: type, ...headers }).map(
    ([name, StringValue]) => [name, { DataType: 'String', StringValue }] as const,
  );
  return {
    Id: String(index),
    MessageBody: JSON.stringify(body),
    MessageAttributes: Object.fromEntries(attributes),
  };
}

function slices<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
