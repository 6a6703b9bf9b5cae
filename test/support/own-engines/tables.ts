import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { relayIndex } from '../../../lib/core/storage/relay-index.ts';
import { tableDefaults } from '../../../lib/core/storage/table-defaults.ts';

export interface TableLayout {
  /** Whether the table has the sparse index of the relay. */
  readonly relayIndex?: boolean;
}

/** One table for sagas and outbox records, gone when the work is over. */
export async function withTable<T>(
  client: DynamoDBClient,
  tableName: string,
  work: (tableName: string) => Promise<T>,
  layout: TableLayout = {},
): Promise<T> {
  await createTable(client, tableName, layout);
  try {
    return await work(tableName);
  } finally {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  }
}

async function createTable(client: DynamoDBClient, TableName: string, layout: TableLayout): Promise<void> {
  const { partitionKeyName, sortKeyName } = tableDefaults;
  const index = layout.relayIndex ? [relayIndex.partitionKeyName, relayIndex.sortKeyName] : [];
  const [indexPartition, indexSort] = index;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [partitionKeyName, sortKeyName, ...index].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: keySchema(partitionKeyName, sortKeyName),
      ...(indexPartition !== undefined &&
        indexSort !== undefined && {
          GlobalSecondaryIndexes: [
            {
              IndexName: relayIndex.indexName,
              KeySchema: keySchema(indexPartition, indexSort),
              Projection: { ProjectionType: 'KEYS_ONLY' },
            },
          ],
        }),
    }),
  );
}

function keySchema(partition: string, sort: string) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
}
