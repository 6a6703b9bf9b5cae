import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableDefaults } from '../../../lib/core/storage/table-defaults.ts';

export interface TableLayout {
  /** Whether the table has the stream that the relay needs. */
  readonly relayStream?: boolean;
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

/** A table with the keys of sagabox. @returns the ARN of its stream, if it has one */
export async function createSagaTable(
  client: DynamoDBClient,
  TableName: string,
  { relayStream = false }: TableLayout = {},
): Promise<string | undefined> {
  const { partitionKeyName, sortKeyName } = tableDefaults;
  const { TableDescription: description } = await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [partitionKeyName, sortKeyName].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      KeySchema: [
        { AttributeName: partitionKeyName, KeyType: 'HASH' },
        { AttributeName: sortKeyName, KeyType: 'RANGE' },
      ],
      ...(relayStream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }),
    }),
  );
  return description?.LatestStreamArn;
}
