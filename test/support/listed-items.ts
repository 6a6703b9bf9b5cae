import { createHash } from 'node:crypto';
import { type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { outboxRecordKey } from '../../lib/core/storage/keys.ts';
import { at } from './commits.ts';

/** What a watcher puts on the list of the endpoint `orders`. */
export interface ListedItem {
  readonly messageId: string;
  /** The partition key of its item. @default - that of the record of the message */
  readonly partition?: string;
  /** Of the entry in the item of a saga. */
  readonly entryKey?: string;
}

/** Lists what was stored at the time of these tests, as a watcher does. */
export async function listUnsent(
  client: DynamoDBClient,
  TableName: string,
  { messageId, partition = outboxRecordKey('orders', messageId).partition, entryKey }: ListedItem,
): Promise<void> {
  const hash = createHash('sha256').update(`${partition} ${entryKey}`).digest('hex');
  const Item = {
    PK: { S: 'UNSENT#orders' },
    SK: { S: `${at.toISOString()}#${hash}` },
    partition: { S: partition },
    messageId: { S: messageId },
    ...(entryKey !== undefined && { entryKey: { S: entryKey } }),
  };
  await client.send(new PutItemCommand({ TableName, Item }));
}

/** How many the list of the endpoint `orders` has. */
export async function countListed(client: DynamoDBClient, TableName: string): Promise<number | undefined> {
  const { Count } = await client.send(
    new QueryCommand({
      TableName,
      Select: 'COUNT',
      ConsistentRead: true,
      KeyConditionExpression: 'PK = :list',
      ExpressionAttributeValues: { ':list': { S: 'UNSENT#orders' } },
    }),
  );
  return Count;
}
