import {
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  type StreamViewType,
} from '@aws-sdk/client-dynamodb';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';

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

/** A table with the keys of sagabox. @returns the ARN of its stream, if it has one */
export async function createSagaTable(
  client: DynamoDBClient,
  TableName: string,
  { stream }: TableLayout = {},
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
      ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }),
    }),
  );
  return description?.LatestStreamArn;
}
