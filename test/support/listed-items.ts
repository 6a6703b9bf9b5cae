import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { outboxRecordKey, unsentPartition } from '../../lib/dynamodb/keys.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { UnsentList } from '../../lib/relay/unsent-list.dynamodb.ts';
import { at } from './commits.ts';

/** What a watcher puts on the list of the endpoint `orders`. */
export interface ListedItem {
  readonly messageId: string;
  /** The partition key of its item. @default - that of the record of the message */
  readonly partition?: string;
  /** Of the entry in the item of a saga. */
  readonly entryKey?: string;
}

/** Lists what was stored at the time of these tests. */
export async function listUnsent(
  client: DynamoDBClient,
  tableName: string,
  { messageId, partition = outboxRecordKey('orders', messageId).partition, entryKey }: ListedItem,
): Promise<void> {
  const list = new UnsentList({ client, table: { ...tableDefaults, tableName }, endpoint: 'orders' });
  await list.add({ messageId, partition, entryKey, storedAt: at }, new CapacityMeter());
}

/** How many the list of the endpoint `orders` has. */
export async function countListed(client: DynamoDBClient, TableName: string): Promise<number | undefined> {
  const { Count } = await client.send(
    new QueryCommand({
      TableName,
      Select: 'COUNT',
      ConsistentRead: true,
      KeyConditionExpression: 'PK = :list',
      ExpressionAttributeValues: { ':list': { S: unsentPartition('orders') } },
    }),
  );
  return Count;
}
