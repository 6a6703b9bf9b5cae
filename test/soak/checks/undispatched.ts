import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** Items of a table, read consistently. */
export async function* itemsOf(client: DynamoDBClient, TableName: string) {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const item of Items) yield unmarshall(item);
  }
}

/** @returns the ids of what outbox records, and entries in items of sagas, that are not dispatched belong to */
export async function undispatchedIds(client: DynamoDBClient, table: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { PK, SK, dispatched, pending = {} } of itemsOf(client, table)) {
    if (SK === 'RECORD' && dispatched !== true) ids.push(lastPart(PK));
    for (const { id } of Object.values(pending as Record<string, { id: string }>)) ids.push(id);
  }
  return ids;
}

export function lastPart(key: unknown): string {
  return String(key).split('#').at(-1) ?? '';
}
