import { setTimeout as delay } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  paginateQuery,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as items from './itemized-items.ts';

export { isMetadata, isOperation, isSaga, operationOf } from './itemized-items.ts';

interface PeerMessage {
  readonly id: string;
}

interface Decision<State> {
  readonly state: State;
  readonly sends: readonly items.Send[];
}

interface ItemizedPeerOptions<Message extends PeerMessage, State extends object> {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  readonly tableName: string;
  readonly endpoint: string;
  readonly sagaName: string;
  /** Queue URLs by name. */
  readonly destinations: Readonly<Record<string, string>>;
  readonly correlate: (message: Message) => string;
  /**
   * The handler: from the saga, when there is one, to what it becomes and what is to be sent. Nothing for a
   * message that starts no saga and finds none.
   */
  readonly decide: (message: Message, state: State | undefined) => Decision<State> | undefined;
}

export interface Failure<Message> {
  readonly message: Message;
  readonly error: unknown;
}

const deduplicationSeconds = 7 * 24 * 3600;
/** The first one, and the five immediate retries that are usual. */
const maxAttempts = 6;
const batchWriteItems = 25;
const sendBatchEntries = 10;
const returned = { ReturnConsumedCapacity: 'TOTAL' } as const;

/**
 * The published way to keep an outbox in DynamoDB: an item of metadata for each incoming message, and one
 * more for each outgoing message, with a sequence of calls that each message makes by itself. Source:
 * "Capacity planning" in the documentation of NServiceBus.Persistence.DynamoDB.
 */
export class ItemizedPeer<Message extends PeerMessage, State extends object> {
  readonly #options: ItemizedPeerOptions<Message, State>;

  constructor(options: ItemizedPeerOptions<Message, State>) {
    this.#options = options;
  }

  /** All at a time, and none with another's help. @returns those that failed, to be delivered again */
  async handleBatch(messages: readonly Message[]): Promise<readonly Failure<Message>[]> {
    const failures: Failure<Message>[] = [];
    const handle = (message: Message) =>
      this.handle(message).catch((error: unknown) => void failures.push({ message, error }));
    await Promise.all(messages.map(handle));
    return failures;
  }

  /** Once more from the start when another message changed the saga in between. */
  async handle(message: Message): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(message);
      } catch (error) {
        if (!(error instanceof TransactionCanceledException) || attempt === maxAttempts) throw error;
      }
    }
  }

  async #attempt(message: Message): Promise<void> {
    const partition = items.outboxPartition(this.#options.endpoint, message.id);
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
    const { dynamoDBClient: client, tableName: TableName } = this.#options;
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

  /** Loads the saga, runs the handler, and commits: only the metadata of a message that no saga waits for. */
  async #process(message: Message, partition: string): Promise<readonly items.Operation[]> {
    const { dynamoDBClient, tableName: TableName, sagaName, endpoint, correlate, decide } = this.#options;
    const Key = items.sagaKey(sagaName, correlate(message));
    const { Item } = await dynamoDBClient.send(
      new GetItemCommand({ TableName, Key, ConsistentRead: true, ...returned }),
    );
    const saga = Item && items.fromSagaItem<State>(Item);
    const decision = decide(message, saga?.state);
    const at = new Date();
    const operations = (decision?.sends ?? []).map((send, ordinal) =>
      items.toOperation(send, message.id, endpoint, ordinal, at),
    );
    const isNew = { ConditionExpression: 'attribute_not_exists(PK)' };
    const isAsRead = saga && {
      ConditionExpression: 'version = :read',
      ExpressionAttributeValues: { ':read': { N: String(saga.version) } },
    };
    const sagaItem = decision && items.toSagaItem(Key, decision.state, (saga?.version ?? 0) + 1, at);
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
    const { sqsClient, destinations } = this.#options;
    for (const [destination, ofDestination] of Map.groupBy(
      operations,
      (operation) => operation.destination,
    )) {
      for (const batch of slices(ofDestination, sendBatchEntries)) {
        const { Failed: failed = [] } = await sqsClient.send(
          new SendMessageBatchCommand({ QueueUrl: destinations[destination], Entries: batch.map(toEntry) }),
        );
        if (failed.length > 0)
          throw new Error(`SQS did not take ${failed.length} messages: ${failed[0]?.Message}`);
      }
    }
  }

  async #mark(partition: string): Promise<void> {
    const { dynamoDBClient, tableName: TableName } = this.#options;
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
    const { dynamoDBClient, tableName } = this.#options;
    const deletes = Array.from(
      { length: operations },
      (_, ordinal): WriteRequest => ({
        DeleteRequest: { Key: items.operationKey(partition, ordinal) },
      }),
    );
    for (const batch of slices(deletes, batchWriteItems)) {
      for (let left: WriteRequest[] = batch, round = 0; left.length > 0; round += 1) {
        if (round > 0) await delay(25 * 2 ** round);
        const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: left }, ...returned });
        left = (await dynamoDBClient.send(command)).UnprocessedItems?.[tableName] ?? [];
      }
    }
  }
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
