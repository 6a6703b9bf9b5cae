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
  await createSagaTable(client, tableName, layout);
  try {
    return await work(tableName);
  } finally {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  }
}

/** A table with the keys of sagabox. */
export async function createSagaTable(
  client: DynamoDBClient,
  TableName: string,
  layout: TableLayout = {},
): Promise<void> {
  const keys = [tableDefaults.partitionKeyName, tableDefaults.sortKeyName] as const;
  const { indexName: IndexName, partitionKeyName, sortKeyName } = relayIndex;
  const indexKeys = [partitionKeyName, sortKeyName] as const;
  const index = {
    IndexName,
    KeySchema: keySchema(indexKeys),
    Projection: { ProjectionType: 'KEYS_ONLY' },
  } as const;
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...keys, ...(layout.relayIndex ? indexKeys : [])].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: keySchema(keys),
      ...(layout.relayIndex && { GlobalSecondaryIndexes: [index] }),
    }),
  );
}

function keySchema([partition, sort]: readonly [partition: string, sort: string]) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
}
