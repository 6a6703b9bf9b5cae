import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { relayIndex, relayShards } from '../../../core/storage/relay-index.ts';
import { queryItems } from '../calls/query-items.ts';
import type { Outbox } from '../outbox/outbox-item.ts';
import type { UndispatchedSearch } from './undispatched-records.ts';

export interface UndispatchedIndexOptions {
  client: DynamoDBClient;
  outbox: Pick<Outbox, 'table' | 'endpoint'>;
  /** From 0 up to 1. */
  random: () => number;
}

/**
 * Queries the sparse index, one shard after another, the oldest records of each first. Each run begins with
 * another shard, so that runs that end early do not always leave out the same ones.
 */
export function searchByIndex({ client, outbox, random }: UndispatchedIndexOptions): UndispatchedSearch {
  return async function* (storedBefore, meter, signal) {
    const shards = relayShards(outbox.endpoint);
    const first = Math.floor(random() * shards.length);
    for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
      if (signal?.aborted) return;
      const query = {
        TableName: outbox.table.tableName,
        IndexName: relayIndex.indexName,
        KeyConditionExpression: '#shard = :shard AND #storedAt < :storedBefore',
        ExpressionAttributeNames: {
          '#shard': relayIndex.partitionKeyName,
          '#storedAt': relayIndex.sortKeyName,
        },
        ExpressionAttributeValues: {
          ':shard': { S: shard },
          ':storedBefore': { S: storedBefore.toISOString() },
        },
      };
      yield* queryItems(client, query, meter, signal);
    }
  };
}
