import { DescribeTimeToLiveCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Behaviour, UnshownBehaviour } from './behaviour.ts';
import { outcomeOf, put, read } from './observations.ts';

const hourAgo = () => ({ N: String(Math.floor(Date.now() / 1000) - 3600) });

export const timeToLive: readonly Behaviour[] = [
  {
    states: 'a table tells the attribute of its time to live',
    source: 'Using time to live (TTL) in DynamoDB',
    observe: async ({ client, tableName: TableName }) =>
      (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription,
    onDynamoDB: { AttributeName: 'ExpiresAt', TimeToLiveStatus: 'ENABLED' },
  },
  {
    states: 'an item that has expired is still read, and refuses a put of a new one, until it is deleted',
    source: 'Working with expired items and time to live (TTL)',
    observe: async (bench) => {
      const key = bench.newKey();
      await put(bench, { ...key, ExpiresAt: hourAgo() });
      const command = new PutItemCommand({
        TableName: bench.tableName,
        Item: key,
        ConditionExpression: 'attribute_not_exists(PK)',
      });
      return [(await read(bench, key)) !== undefined, await outcomeOf(bench.client.send(command))];
    },
    onDynamoDB: [true, 'ConditionalCheckFailedException'],
  },
];

export const unshownTimeToLive: readonly UnshownBehaviour[] = [
  {
    states:
      'an item that has expired is deleted within a few days, at no charge, item by item: its chunks may stay longer',
    source: 'Using time to live (TTL) in DynamoDB',
    reason: 'It takes up to days; an engine that deletes at all does it when it likes',
    simulatedIn: {
      file: 'test/outbox/outbox-store.dynamodb.test.ts',
      mentions: 'overwrite the chunks of an expired record',
    },
  },
];
