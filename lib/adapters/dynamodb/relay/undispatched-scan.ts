import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';
import type { Item } from '../../../core/storage/item-attributes.ts';
import { outboxPartitionPrefix, outboxRecordKey } from '../../../core/storage/keys.ts';
import type { Clock } from '../../../ports.ts';
import { callDynamoDB } from '../calls/service-errors.ts';
import type { Outbox } from '../outbox/outbox-item.ts';
import { ReadPace } from './read-pace.ts';
import type { UndispatchedSearch } from './undispatched-records.ts';

export interface UndispatchedScanOptions {
  client: DynamoDBClient;
  outbox: Pick<Outbox, 'table' | 'endpoint'>;
  maxReadUnitsPerSecond: number;
  /** Parts that the table is divided into, read one after another. */
  segments: number;
  clock: Clock;
  /** From 0 up to 1. */
  random: () => number;
}

/**
 * Reads the whole table, no faster than it may. Each run begins with another segment, so that runs that end
 * early do not always leave out the same ones.
 */
export class UndispatchedScan implements UndispatchedSearch {
  readonly #options: UndispatchedScanOptions;

  constructor(options: UndispatchedScanOptions) {
    this.#options = options;
  }

  async *search(storedBefore: Date, meter: CapacityMeter, signal?: AbortSignal): AsyncGenerator<Item> {
    const { segments, maxReadUnitsPerSecond, clock, random } = this.#options;
    const pace = new ReadPace(maxReadUnitsPerSecond, clock);
    const first = Math.floor(random() * segments);
    for (let passed = 0; passed < segments; passed += 1) {
      let lastKey: Item | undefined;
      do {
        await pace.wait(signal);
        if (signal?.aborted) return;
        const page = await this.#page((first + passed) % segments, pace.items, lastKey, storedBefore);
        const units = page.ConsumedCapacity?.CapacityUnits ?? 0;
        meter.addRead(units);
        pace.spend(units, page.ScannedCount ?? 0);
        yield* page.Items ?? [];
        lastKey = page.LastEvaluatedKey;
      } while (lastKey);
    }
  }

  async #page(segment: number, limit: number, lastKey: Item | undefined, storedBefore: Date) {
    const { client, outbox, segments } = this.#options;
    const { table, endpoint } = outbox;
    const command = new ScanCommand({
      TableName: table.tableName,
      Segment: segment,
      TotalSegments: segments,
      Limit: limit,
      FilterExpression:
        'begins_with(#partitionKey, :prefix) AND #sortKey = :record AND #dispatched = :false AND #storedAt < :storedBefore',
      ProjectionExpression: '#partitionKey, #sortKey, messageId',
      ExpressionAttributeNames: {
        '#partitionKey': table.partitionKeyName,
        '#sortKey': table.sortKeyName,
        '#dispatched': 'dispatched',
        '#storedAt': 'storedAt',
      },
      ExpressionAttributeValues: {
        ':prefix': { S: outboxPartitionPrefix(endpoint) },
        ':record': { S: outboxRecordKey(endpoint, '').sort },
        ':false': { BOOL: false },
        ':storedBefore': { S: storedBefore.toISOString() },
      },
      ReturnConsumedCapacity: 'TOTAL',
      ...(lastKey && { ExclusiveStartKey: lastKey }),
    });
    return await callDynamoDB('Scan', [table.tableName], () => client.send(command));
  }
}
