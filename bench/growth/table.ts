import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { recoveryIndex } from '../../lib/core/recovery-index.ts';
import { tableDefaults } from '../../lib/core/table-defaults.ts';
import { deleteTable } from '../contention/table.ts';

/** A table with the sparse index of the recovery, gone when the work is over. */
export async function withTable<T>(
  client: DynamoDBClient,
  work: (tableName: string) => Promise<T>,
): Promise<T> {
  const tableName = `growth-${randomUUID()}`;
  const { partitionKeyName, sortKeyName } = tableDefaults;
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
  const keys = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        partitionKeyName,
        sortKeyName,
        recoveryIndex.partitionKeyName,
        recoveryIndex.sortKeyName,
      ].map(text),
      KeySchema: keys(partitionKeyName, sortKeyName),
      GlobalSecondaryIndexes: [
        {
          IndexName: recoveryIndex.indexName,
          KeySchema: keys(recoveryIndex.partitionKeyName, recoveryIndex.sortKeyName),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  try {
    return await work(tableName);
  } finally {
    await deleteTable(client, tableName);
  }
}
