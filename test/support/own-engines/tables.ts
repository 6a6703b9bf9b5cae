import {
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  type StreamViewType,
} from '@aws-sdk/client-dynamodb';
import { tableDefaults } from '../../../lib/core/storage/table-defaults.ts';

export interface TableLayout {
  /** What the stream of the table has. @default - it has none */
  readonly stream?: StreamViewType;
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
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keySchema(keys),
      ...(layout.stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: layout.stream } }),
    }),
  );
}

function keySchema([partition, sort]: readonly [partition: string, sort: string]) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
}
