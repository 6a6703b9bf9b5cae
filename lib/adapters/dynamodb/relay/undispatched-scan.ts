import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
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
export function searchByScan(options: UndispatchedScanOptions): UndispatchedSearch {
  const { client, outbox, segments, maxReadUnitsPerSecond, clock, random } = options;
  const { tableName } = outbox.table;
  return async function* (storedBefore, meter, signal) {
    const pace = new ReadPace(maxReadUnitsPerSecond, clock);
    const scan = { ...undispatchedRecords(outbox, storedBefore), TotalSegments: segments };
    const first = Math.floor(random() * segments);
    for (let passed = 0; passed < segments; passed += 1) {
      const Segment = (first + passed) % segments;
      let ExclusiveStartKey: Item | undefined;
      do {
        await pace.wait(signal);
        if (signal?.aborted) return;
        const command = new ScanCommand({ ...scan, Segment, ExclusiveStartKey, Limit: pace.items });
        const page = await callDynamoDB('Scan', [tableName], () => client.send(command));
        const units = page.ConsumedCapacity?.CapacityUnits ?? 0;
        meter.addRead(units);
        pace.spend(units, page.ScannedCount ?? 0);
        yield* page.Items ?? [];
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
    }
  };
}

function undispatchedRecords({ table, endpoint }: UndispatchedScanOptions['outbox'], storedBefore: Date) {
  return {
    TableName: table.tableName,
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
  } as const;
}
