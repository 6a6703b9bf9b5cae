import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { MeteredCall } from '../../capacity/measured/recorded-call.ts';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import { limits } from '../../kernel/limits.ts';
import { headerNames } from '../../messages/headers.ts';
import type { Clients } from '../clients.ts';

type Key = Record<string, AttributeValue>;

/** After so many empty receives a queue has no more messages of the run, or hides them. */
const EMPTY_RECEIVES_AT_THE_END = 2;
const DELETE_ROUNDS = 8;

/** What a run has written into tables and queues that are not its own. */
export class WrittenItems {
  /** Of all items that may have been put, by table: also of failed calls, which may have succeeded. */
  readonly #keys = new Map<string, Map<string, Key>>();
  /** Messages by queue. */
  readonly #sent = new Map<string, number>();

  add(calls: readonly MeteredCall[]): void {
    for (const { operation, input, error } of calls) {
      if (operation === 'PutItem') this.#addItem(input.TableName, input.Item);
      if (operation === 'UpdateItem') this.#addItem(input.TableName, input.Key);
      if (operation === 'TransactWriteItems') {
        for (const { Put } of input.TransactItems) if (Put) this.#addItem(Put.TableName, Put.Item);
      }
      if (operation === 'SendMessageBatch' && error === undefined) {
        this.#sent.set(input.QueueUrl, (this.#sent.get(input.QueueUrl) ?? 0) + input.Entries.length);
      }
    }
  }

  /**
   * @param endpoint that the messages came from
   * @param waitSeconds how long an empty queue is waited for
   * @returns how many items and messages are left
   */
  async remove(
    { dynamoDBClient, sqsClient }: Clients,
    endpoint: string,
    waitSeconds: number,
  ): Promise<{ items: number; messages: number }> {
    let [items, messages] = [0, 0];
    for (const [tableName, keys] of this.#keys)
      items += await deleteItems(dynamoDBClient, tableName, [...keys.values()]);
    for (const [queueUrl, sent] of this.#sent)
      messages += sent - (await deleteMessages(sqsClient, { queueUrl, sent, endpoint, waitSeconds }));
    return { items, messages };
  }

  #addItem(tableName: string, item: Key): void {
    const { partitionKeyName, sortKeyName } = tableDefaults;
    const { [partitionKeyName]: partition, [sortKeyName]: sort } = item;
    if (partition === undefined || sort === undefined) return;
    const keys = this.#keys.get(tableName) ?? new Map<string, Key>();
    keys.set(`${partition.S}|${sort.S}`, { [partitionKeyName]: partition, [sortKeyName]: sort });
    this.#keys.set(tableName, keys);
  }
}

/** @returns how many are left */
async function deleteItems(client: DynamoDBClient, tableName: string, keys: readonly Key[]): Promise<number> {
  let left: WriteRequest[] = keys.map((key) => ({ DeleteRequest: { Key: key } }));
  const rounds = Math.ceil(left.length / limits.batchWriteItems) + DELETE_ROUNDS;
  for (let round = 0; round < rounds && left.length > 0; round += 1) {
    const batch = left.slice(0, limits.batchWriteItems);
    const { UnprocessedItems: unprocessed = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: batch } }),
    );
    left = [...left.slice(batch.length), ...(unprocessed[tableName] ?? [])];
  }
  return left.length;
}

interface SentMessages {
  readonly queueUrl: string;
  readonly sent: number;
  readonly endpoint: string;
  readonly waitSeconds: number;
}

/** Only those that the run has sent: others become visible again. @returns how many */
async function deleteMessages(
  client: SQSClient,
  { queueUrl: QueueUrl, sent, endpoint, waitSeconds }: SentMessages,
): Promise<number> {
  const isOurs = ({ MessageAttributes: attributes }: Message) =>
    attributes?.[headerNames.replyTo]?.StringValue === endpoint;
  let [deleted, emptyReceives] = [0, 0];
  const others: Message[] = [];
  while (deleted < sent && emptyReceives < EMPTY_RECEIVES_AT_THE_END) {
    const { Messages: messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: 60,
        MessageAttributeNames: [headerNames.replyTo],
      }),
    );
    const ours = messages.filter(isOurs);
    for (const { ReceiptHandle } of ours)
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    others.push(...messages.filter((message) => !isOurs(message)));
    deleted += ours.length;
    emptyReceives = ours.length === 0 ? emptyReceives + 1 : 0;
  }
  for (const { ReceiptHandle } of others)
    await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  return Math.min(deleted, sent);
}
