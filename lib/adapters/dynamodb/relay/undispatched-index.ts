import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../core/storage/item-attributes.ts';
import { relayIndex, relayShards } from '../../../core/storage/relay-index.ts';
import { queryItems } from '../calls/query-items.ts';
import type { ReadBatcher } from '../calls/read-batcher.ts';
import type { Outbox } from '../outbox/outbox-item.ts';
import type { Table } from '../table.ts';
import { foundEntries, foundRecord, isSagaItem } from './found-item.ts';
import type { UndispatchedSearch } from './undispatched-records.ts';

export interface UndispatchedIndexOptions {
  client: DynamoDBClient;
  outbox: Pick<Outbox, 'table' | 'endpoint'>;
  reads: ReadBatcher;
  /** From 0 up to 1. */
  random: () => number;
}

/**
 * Queries the sparse index, one shard after another, the oldest records of each first. Each run begins with
 * another shard, so that runs that end early do not always leave out the same ones.
 */
export function searchByIndex({
  client,
  outbox,
  reads,
  random,
}: UndispatchedIndexOptions): UndispatchedSearch {
  const { table } = outbox;
  return async function* (storedBefore, meter, signal) {
    // The index holds the keys of an item of a saga, and not what is pending in it.
    const entriesOf = async (item: Item) => {
      const key = keyOf(item, table);
      const read = await reads.read({ tableName: table.tableName, key, consistentRead: true, meter });
      return read ? foundEntries(read, table, storedBefore) : [];
    };
    const shards = relayShards(outbox.endpoint);
    const first = Math.floor(random() * shards.length);
    for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
      if (signal?.aborted) return;
      const query = {
        TableName: table.tableName,
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
      for await (const item of queryItems(client, query, meter, signal)) {
        yield* isSagaItem(item, table) ? await entriesOf(item) : foundRecord(item, table);
      }
    }
  };
}

function keyOf(item: Item, { partitionKeyName, sortKeyName }: Table): Item {
  return Object.fromEntries([partitionKeyName, sortKeyName].map((name) => [name, item[name] ?? { S: '' }]));
}
