import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readTable } from '../../../examples/order-fulfilment/ledgers.ts';

/** The keys of the outbox records whose messages were never confirmed as sent. */
export async function undispatchedRecords(
  client: DynamoDBClient,
  tableNames: readonly string[],
): Promise<string[]> {
  const items = await Promise.all(tableNames.map((tableName) => readTable(client, tableName)));
  return items
    .flat()
    .filter(({ SK, dispatched }) => SK === 'RECORD' && dispatched !== true)
    .map(({ PK }) => String(PK));
}
