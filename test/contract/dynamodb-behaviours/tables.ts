import { CreateTableCommand, type DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../support/engines.ts';
import { createStreamedTable } from '../../support/relay-subject.ts';
import type { Bench } from './behaviour.ts';

type Tables = Omit<Bench, 'client' | 'newKey'>;

export async function createTables(client: DynamoDBClient): Promise<Tables> {
  const [tableName, otherTableName, scannedTableName, streamedTableName, slowTableName] = await Promise.all([
    createTable(),
    createTable(),
    createTable(),
    createStreamedTable(client),
    createSlowTable(client),
  ]);
  const TimeToLiveSpecification = { AttributeName: 'ExpiresAt', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
  return { tableName, otherTableName, scannedTableName, streamedTableName, slowTableName };
}

async function createSlowTable(client: DynamoDBClient): Promise<string> {
  const TableName = `test-slow-${crypto.randomUUID()}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
    }),
  );
  return TableName;
}
