import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';
import { relayIndex, relayShards } from '../../../core/storage/relay-index.ts';
import { callDynamoDB } from '../calls/service-errors.ts';
import type { Outbox } from '../outbox/outbox-item.ts';
import type { FoundItem, UndispatchedSearch } from './undispatched-search.ts';

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
export class UndispatchedIndex implements UndispatchedSearch {
  readonly #options: UndispatchedIndexOptions;

  constructor(options: UndispatchedIndexOptions) {
    this.#options = options;
  }

  async *search(storedBefore: Date, meter: CapacityMeter, signal?: AbortSignal): AsyncGenerator<FoundItem> {
    const shards = relayShards(this.#options.outbox.endpoint);
    const first = Math.floor(this.#options.random() * shards.length);
    for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
      yield* this.#searchShard(shard, storedBefore, meter, signal);
    }
  }

  async *#searchShard(shard: string, storedBefore: Date, meter: CapacityMeter, signal?: AbortSignal) {
    const { client, outbox } = this.#options;
    const { tableName } = outbox.table;
    let lastKey: FoundItem | undefined;
    do {
      if (signal?.aborted) return;
      const command = new QueryCommand({
        TableName: tableName,
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
        ReturnConsumedCapacity: 'TOTAL',
        ...(lastKey && { ExclusiveStartKey: lastKey }),
      });
      const page = await callDynamoDB('Query', [tableName], () => client.send(command));
      meter.addRead(page.ConsumedCapacity?.CapacityUnits);
      yield* page.Items ?? [];
      lastKey = page.LastEvaluatedKey;
    } while (lastKey);
  }
}
