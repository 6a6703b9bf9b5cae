import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readTable } from '../../../examples/order-fulfilment/ledgers.ts';

/** The keys of the outbox records, and of the sagas with an embedded outbox, whose messages were never confirmed as sent. */
export async function undispatchedRecords(
  client: DynamoDBClient,
  tableNames: readonly string[],
): Promise<string[]> {
  const items = await Promise.all(tableNames.map((tableName) => readTable(client, tableName)));
  return items
    .flat()
    .filter(
      ({ dispatched, pending = {} }) => dispatched === false || Object.keys(pending as object).length > 0,
    )
    .map((item) => String(Object.values(item).find(isKey)));
}

/** Tables have other names for their keys. */
function isKey(value: unknown): boolean {
  return /^(OUTBOX|SAGA)#/.test(String(value));
}

/** The partition keys of what the relay's lists name. */
export async function listedItems(client: DynamoDBClient, tableNames: readonly string[]): Promise<string[]> {
  const items = await Promise.all(tableNames.map((tableName) => readTable(client, tableName)));
  return items
    .flat()
    .flatMap(({ itemPartition }) => (itemPartition === undefined ? [] : [String(itemPartition)]));
}
