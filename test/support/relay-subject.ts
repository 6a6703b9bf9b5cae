import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import type { Clock } from '../../lib/kernel/clock.ts';
import { newBatchers } from '../../lib/outbox/batchers.dynamodb.ts';
import { DynamoDBCommitter } from '../../lib/outbox/commit/committer.dynamodb.ts';
import type { Committer } from '../../lib/outbox/commit/committer.ts';
import { newEmbeddedBatchers } from '../../lib/outbox/embedded/embedded-batchers.dynamodb.ts';
import { embeddedPlanner } from '../../lib/outbox/embedded/embedded-planner.dynamodb.ts';
import { DynamoDBEmbeddedSagas } from '../../lib/outbox/embedded/embedded-sagas.dynamodb.ts';
import type { EmbeddedSagas } from '../../lib/outbox/embedded/embedded-sagas.ts';
import { readEmbedded } from '../../lib/outbox/embedded/read-embedded.dynamodb.ts';
import { DynamoDBOutboxStore } from '../../lib/outbox/outbox-store.dynamodb.ts';
import type { OutboxStore } from '../../lib/outbox/outbox-store.ts';
import type { OutboxTarget } from '../../lib/outbox/record-item.dynamodb.ts';
import { DynamoDBRequestLeases } from '../../lib/outbox/request-leases.dynamodb.ts';
import type { RequestLeases } from '../../lib/outbox/request-leases.ts';
import type { RelayStrategy } from '../../lib/relay/relay-defaults.ts';
import {
  DynamoDBUndispatchedRecords,
  type UndispatchedSearch,
} from '../../lib/relay/undispatched-records.dynamodb.ts';
import type { UndispatchedRecords } from '../../lib/relay/undispatched-records.ts';
import { searchByScan } from '../../lib/relay/undispatched-scan.dynamodb.ts';
import { UnsentList, type UnsentListOptions } from '../../lib/relay/unsent-list.dynamodb.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { DynamoDBSagaLocks } from '../../lib/saga/saga-locks.dynamodb.ts';
import type { SagaLocks } from '../../lib/saga/saga-locks.ts';
import { DynamoDBSagaStore } from '../../lib/saga/saga-store.dynamodb.ts';
import type { SagaStore } from '../../lib/saga/saga-store.ts';
import { MemoryCommitter } from '../../lib/testing/memory/committer.ts';
import { MemoryEmbeddedSagas } from '../../lib/testing/memory/embedded-sagas.ts';
import { MemoryOutboxStore } from '../../lib/testing/memory/outbox-store.ts';
import { MemoryRequestLeases } from '../../lib/testing/memory/request-leases.ts';
import { MemorySagaLocks } from '../../lib/testing/memory/saga-locks.ts';
import { MemorySagaStore } from '../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { MemoryUndispatchedRecords } from '../../lib/testing/memory/undispatched-records.ts';
import { MovingClock } from './moving-clock.ts';
import { createSagaTable } from './own-engines/tables.ts';
import { watchStream } from './table-stream.ts';

export const DEDUPLICATION_SECONDS = 604_800;

/** The ports of one endpoint that a relay, and the sagas whose messages it sends, work with. */
export interface RelayStores {
  readonly undispatched: UndispatchedRecords;
  readonly outbox: OutboxStore;
  readonly committer: Committer;
  readonly requestLeases: RequestLeases;
  readonly sagas: SagaStore;
  readonly embedded: EmbeddedSagas;
  readonly locks: SagaLocks;
}

/** A new table whose changes are in a stream; returns its name. */
export async function createStreamedTable(client: DynamoDBClient): Promise<string> {
  const tableName = `test-${randomUUID()}`;
  await createSagaTable(client, tableName, { stream: 'NEW_IMAGE' });
  return tableName;
}

export interface DynamoDBRelayOptions {
  client: DynamoDBClient;
  tableName: string;
  strategy: RelayStrategy;
  endpoint?: string;
  clock?: Clock;
  maxReadUnitsPerSecond?: number;
  segments?: number;
}

export function dynamoDBRelay(options: DynamoDBRelayOptions): RelayStores {
  const { client, tableName, strategy, endpoint = 'orders', clock = new MovingClock() } = options;
  const { maxReadUnitsPerSecond = 1_000_000, segments = 4 } = options;
  const outbox: OutboxTarget = {
    table: { ...tableDefaults, tableName },
    endpoint,
    deduplicationPeriodSeconds: DEDUPLICATION_SECONDS,
  };
  const { table, deduplicationPeriodSeconds } = outbox;
  const batchers = newBatchers(client, clock);
  const { reads, writes } = batchers;
  const { marks } = newEmbeddedBatchers(client, clock, batchers);
  const search =
    strategy === 'stream'
      ? searchByWatchedList({ client, table, endpoint })
      : searchByScan({
          client,
          table: outbox.table,
          records: true,
          entries: true,
          endpoint,
          clock,
          maxReadUnitsPerSecond,
          segments,
          random: () => 0.6,
        });
  const store = new DynamoDBOutboxStore({ client, outbox, reads, writes });
  return {
    undispatched: new DynamoDBUndispatchedRecords({ client, outbox, search, reads }),
    outbox: store,
    requestLeases: new DynamoDBRequestLeases({ client, outbox, store, clock }),
    committer: new DynamoDBCommitter({
      client,
      sagaTable: table,
      outbox,
      mapper: defaultMapper,
      planEmbedded: embeddedPlanner({ table, mapper: defaultMapper, compressesState: false }),
      endpoint,
    }),
    sagas: new DynamoDBSagaStore({ reads, table, mapper: defaultMapper, readEmbedded }),
    embedded: new DynamoDBEmbeddedSagas({
      client,
      table,
      reads,
      marks,
      deduplicationPeriodSeconds,
    }),
    locks: new DynamoDBSagaLocks({ client, table, mapper: defaultMapper, readEmbedded, clock }),
  };
}

/** What the watcher has listed by the time of the search, from the whole of the stream. */
function searchByWatchedList(options: UnsentListOptions): UndispatchedSearch {
  const list = new UnsentList(options);
  return async function* (...terms) {
    await watchStream(options.client, options.table.tableName);
    yield* list.find(...terms);
  };
}

export function memoryRelay(
  storage = new MemoryStorage(),
  endpoint = 'orders',
  clock: Clock = new MovingClock(),
): RelayStores {
  const outbox = new MemoryOutboxStore(storage, endpoint);
  const sagas = new MemorySagaStore(storage);
  return {
    undispatched: new MemoryUndispatchedRecords(storage, endpoint),
    outbox,
    requestLeases: new MemoryRequestLeases(storage, endpoint, outbox, clock),
    committer: new MemoryCommitter({ storage, endpoint }),
    sagas,
    embedded: new MemoryEmbeddedSagas({ storage, deduplicationPeriodSeconds: DEDUPLICATION_SECONDS }),
    locks: new MemorySagaLocks(storage, sagas, clock),
  };
}
