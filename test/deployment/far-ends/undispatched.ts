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
    .filter(({ dispatched }) => dispatched === false)
    .map((record) => String(Object.values(record).find(isRecordKey)));
}

/** Tables have other names for their keys. */
function isRecordKey(value: unknown): boolean {
  return String(value).startsWith('OUTBOX#');
}
