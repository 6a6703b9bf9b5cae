import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { callDynamoDB } from '../dynamodb/calls/service-errors.ts';
import { EMBEDDED_SCHEMA, type Item } from '../dynamodb/item-attributes.ts';
import {
  ANY_OUTBOX_PARTITION_PREFIX,
  outboxPartitionPrefix,
  RECORD_SORT_KEY,
  SAGA_SORT_KEY,
} from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import type { Clock } from '../kernel/clock.ts';
import { foundEntries, foundRecord, isSagaItem } from './found-item.dynamodb.ts';
import { ReadPace } from './read-pace.dynamodb.ts';
import type { UndispatchedSearch } from './undispatched-records.dynamodb.ts';

/** A table, and the kinds of records that are looked for in it: one of the two at least. */
export interface ScannedTable {
  readonly table: Table;
  /** Whether to look for outbox records that are items of their own. */
  readonly records: boolean;
  /** Whether to look for records in items of sagas with an embedded outbox. */
  readonly entries: boolean;
}

export interface UndispatchedScanOptions extends ScannedTable {
  client: DynamoDBClient;
  /** The endpoint whose records are found. @default - all endpoints */
  endpoint?: string | undefined;
  maxReadUnitsPerSecond: number;
  /** The number of parts that the table is divided into, read one after another. */
  segments: number;
  clock: Clock;
  /** Returns a number from 0 up to 1. */
  random: () => number;
}

/**
 * Returns a search that reads the whole table, at a limited rate. Each run begins with a random segment, so
 * that runs that end early do not always leave out the same ones.
 */
export function searchByScan(options: UndispatchedScanOptions): UndispatchedSearch {
  const { client, table, segments, maxReadUnitsPerSecond, clock, random } = options;
  return async function* (storedBefore, meter, signal) {
    const pace = new ReadPace(maxReadUnitsPerSecond, clock);
    const scan = { ...undispatchedItems(options, storedBefore), TotalSegments: segments };
    const first = Math.floor(random() * segments);
    for (let passed = 0; passed < segments; passed += 1) {
      const Segment = (first + passed) % segments;
      let ExclusiveStartKey: Item | undefined;
      do {
        await pace.wait(signal);
        if (signal?.aborted) return;
        const command = new ScanCommand({ ...scan, Segment, ExclusiveStartKey, Limit: pace.items });
        const page = await callDynamoDB('Scan', [table.tableName], client.send(command));
        const units = page.ConsumedCapacity?.CapacityUnits ?? 0;
        meter.addRead(units);
        pace.spend(units, page.ScannedCount ?? 0);
        for (const item of page.Items ?? []) {
          yield* isSagaItem(item, table) ? foundEntries(item, table, storedBefore) : foundRecord(item, table);
        }
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
    }
  };
}

/** A filter for items of one kind. */
interface ItemFilter {
  readonly condition: string;
  /** The attributes that are read beside the keys. */
  readonly reads: readonly string[];
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

function undispatchedItems(
  { table, records, entries, endpoint }: UndispatchedScanOptions,
  storedBefore: Date,
) {
  const filters = [
    ...(records ? [undispatchedRecords(endpoint, storedBefore)] : []),
    ...(entries ? [sagasWithEntries(endpoint)] : []),
  ];
  const names: Record<string, string> = {
    '#partitionKey': table.partitionKeyName,
    '#sortKey': table.sortKeyName,
  };
  const values: Item = {};
  for (const filter of filters) {
    Object.assign(names, filter.names);
    Object.assign(values, filter.values);
  }
  return {
    TableName: table.tableName,
    FilterExpression: filters.map(({ condition }) => `(${condition})`).join(' OR '),
    ProjectionExpression: ['#partitionKey', '#sortKey', ...filters.flatMap(({ reads }) => reads)].join(', '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnConsumedCapacity: 'TOTAL',
  } as const;
}

function undispatchedRecords(endpoint: string | undefined, storedBefore: Date): ItemFilter {
  const prefix = endpoint === undefined ? ANY_OUTBOX_PARTITION_PREFIX : outboxPartitionPrefix(endpoint);
  return {
    condition:
      'begins_with(#partitionKey, :prefix) AND #sortKey = :record AND #dispatched = :false AND #storedAt < :storedBefore',
    reads: ['messageId', '#storedAt'],
    names: { '#dispatched': 'dispatched', '#storedAt': 'storedAt' },
    values: {
      ':prefix': { S: prefix },
      ':record': { S: RECORD_SORT_KEY },
      ':false': { BOOL: false },
      ':storedBefore': { S: storedBefore.toISOString() },
    },
  };
}

/** Filters sagas with entries. The age of entries is compared after the read: their keys are not known. */
function sagasWithEntries(endpoint: string | undefined): ItemFilter {
  const isOwn = endpoint === undefined ? '' : ' AND #endpoint = :endpoint';
  return {
    condition: `#sortKey = :saga AND #schema = :embedded AND size(#pending) > :none${isOwn}`,
    reads: ['#pending', '#endpoint'],
    names: { '#schema': 'schemaVersion', '#pending': 'pending', '#endpoint': 'endpoint' },
    values: {
      ':saga': { S: SAGA_SORT_KEY },
      ':embedded': { N: String(EMBEDDED_SCHEMA) },
      ':none': { N: '0' },
      ...(endpoint !== undefined && { ':endpoint': { S: endpoint } }),
    },
  };
}
