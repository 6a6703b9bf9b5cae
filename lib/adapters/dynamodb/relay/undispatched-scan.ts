import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../core/storage/item-attributes.ts';
import { outboxRecordKey } from '../../../core/storage/keys.ts';
import type { Clock } from '../../../ports.ts';
import { callDynamoDB } from '../calls/service-errors.ts';
import type { Table } from '../table.ts';
import { ReadPace } from './read-pace.ts';
import type { UndispatchedSearch } from './undispatched-records.ts';

export interface UndispatchedScanOptions {
  client: DynamoDBClient;
  table: Table;
  /** What the partition keys of the records begin with. */
  partitionPrefix: string;
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
  const { client, segments, maxReadUnitsPerSecond, clock, random } = options;
  const { tableName } = options.table;
  return async function* (storedBefore, meter, signal) {
    const pace = new ReadPace(maxReadUnitsPerSecond, clock);
    const scan = { ...undispatchedRecords(options, storedBefore), TotalSegments: segments };
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

function undispatchedRecords({ table, partitionPrefix }: UndispatchedScanOptions, storedBefore: Date) {
  return {
    TableName: table.tableName,
    FilterExpression:
      'begins_with(#partitionKey, :prefix) AND #sortKey = :record AND #dispatched = :false AND #storedAt < :storedBefore',
    ProjectionExpression: '#partitionKey, #sortKey, messageId, #storedAt',
    ExpressionAttributeNames: {
      '#partitionKey': table.partitionKeyName,
      '#sortKey': table.sortKeyName,
      '#dispatched': 'dispatched',
      '#storedAt': 'storedAt',
    },
    ExpressionAttributeValues: {
      ':prefix': { S: partitionPrefix },
      ':record': { S: outboxRecordKey('', '').sort },
      ':false': { BOOL: false },
      ':storedBefore': { S: storedBefore.toISOString() },
    },
    ReturnConsumedCapacity: 'TOTAL',
  } as const;
}
