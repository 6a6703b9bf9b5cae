import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readTable } from '../../../examples/order-fulfilment/ledgers.ts';

/** @returns the ids of what outbox records, and entries in items of sagas, that are not dispatched belong to */
export async function undispatchedIds(client: DynamoDBClient, table: string): Promise<string[]> {
  const ids: string[] = [];
  for (const { PK, SK, dispatched, pending = {} } of await readTable(client, table)) {
    if (SK === 'RECORD' && dispatched !== true) ids.push(lastPart(PK));
    for (const { id } of Object.values(pending as Record<string, { id: string }>)) ids.push(id);
  }
  return ids;
}

/** @returns the places on the lists of what was not seen to be sent */
export async function listedPlaces(client: DynamoDBClient, table: string): Promise<string[]> {
  return (await readTable(client, table)).flatMap(({ PK, SK, itemPartition, messageId }) =>
    String(PK).startsWith('UNSENT#') && SK !== 'WATCHER'
      ? [`${messageId ?? lastPart(itemPartition)} at ${SK}`]
      : [],
  );
}

export function lastPart(key: unknown): string {
  return String(key).split('#').at(-1) ?? '';
}
