import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../../lib/dynamodb/keys.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { newBatchers } from '../../lib/outbox/batchers.dynamodb.ts';
import { DynamoDBCommitter } from '../../lib/outbox/commit/committer.dynamodb.ts';
import type { Committer } from '../../lib/outbox/commit/committer.ts';
import type { Commit } from '../../lib/outbox/commit.ts';
import { DynamoDBOutboxStore } from '../../lib/outbox/outbox-store.dynamodb.ts';
import type { OutboxStore } from '../../lib/outbox/outbox-store.ts';
import type { OutboxRecord } from '../../lib/outbox/record.ts';
import type { SentBitmap } from '../../lib/outbox/sent-bitmap.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import type { SagaWrite, StoredSaga } from '../../lib/saga/saga-state.ts';
import { DynamoDBSagaStore } from '../../lib/saga/saga-store.dynamodb.ts';
import type { LoadCertainty, SagaStore } from '../../lib/saga/saga-store.ts';
import { withCurrentRevisions } from './current-revision.ts';
import { dynamoDBClient } from './engines.ts';
import { MovingClock } from './moving-clock.ts';

/** The stores; a call whose capacity is of no interest to the test needs no meter. */
export interface StorePorts {
  readonly sagas: {
    load(
      saga: SagaIdentity,
      meter?: CapacityMeter,
      certainty?: LoadCertainty,
    ): Promise<StoredSaga | undefined>;
  };
  readonly outbox: {
    find(messageId: string, meter?: CapacityMeter): Promise<OutboxRecord | undefined>;
    saveProgress(record: OutboxRecord, sent: SentBitmap, meter?: CapacityMeter): Promise<SentBitmap>;
    markDispatched(
      record: OutboxRecord,
      at: Date,
      meter?: CapacityMeter,
      signal?: AbortSignal,
    ): Promise<void>;
  };
  readonly committer: {
    snapshot(write: SagaWrite): SagaWrite;
    readSnapshot: Committer['readSnapshot'];
    commit(commit: Commit, meter?: CapacityMeter): Promise<void>;
  };
}

/** What they load, without tombstones. */
export function storedSagas(sagas: SagaStore): StorePorts['sagas'] {
  const unread = new CapacityMeter();
  return {
    load: async (saga, meter = unread, certainty) => (await sagas.load(saga, meter, certainty)).stored,
  };
}

export function storePorts(sagas: SagaStore, outbox: OutboxStore, committer: Committer): StorePorts {
  const unread = new CapacityMeter();
  return {
    sagas: storedSagas(sagas),
    outbox: {
      find: (messageId, meter = unread) => outbox.find(messageId, meter),
      saveProgress: (record, sent, meter = unread) => outbox.saveProgress(record, sent, meter),
      markDispatched: (record, at, meter = unread, signal) =>
        outbox.markDispatched(record, at, meter, signal),
    },
    committer: {
      snapshot: (write) => committer.snapshot(write),
      readSnapshot: (kept) => committer.readSnapshot(kept),
      commit: (commit, meter = unread) => committer.commit(commit, meter),
    },
  };
}

export interface DynamoDBPortsOptions {
  client: DynamoDBClient;
  sagaTable: string;
  /** The saga table when not given. */
  outboxTable?: string;
  endpoint?: string;
  clock?: MovingClock;
  newCommitId?: () => string;
  deduplicationPeriodSeconds?: number;
  compressesState?: boolean;
}

// A client of its own: its reads are not among the calls that a test counts.
const observer = dynamoDBClient();

export function dynamoDBPorts(options: DynamoDBPortsOptions): StorePorts {
  const { client, endpoint = 'orders', clock = new MovingClock(), newCommitId, compressesState } = options;
  const sagaTable = { ...tableDefaults, tableName: options.sagaTable };
  const outbox = {
    table: { ...tableDefaults, tableName: options.outboxTable ?? options.sagaTable },
    endpoint,
    deduplicationPeriodSeconds: options.deduplicationPeriodSeconds ?? 604_800,
  };
  const { reads, writes } = newBatchers(client, clock, () => 0.5);
  return storePorts(
    new DynamoDBSagaStore({ reads, table: sagaTable, mapper: defaultMapper }),
    new DynamoDBOutboxStore({ client, outbox, reads, writes }),
    withCurrentRevisions(
      new DynamoDBCommitter({
        client,
        sagaTable,
        outbox,
        mapper: defaultMapper,
        endpoint,
        ...(newCommitId && { newCommitId }),
        ...(compressesState && { compressesState }),
      }),
      new DynamoDBSagaStore({
        reads: newBatchers(observer, clock).reads,
        table: sagaTable,
        mapper: defaultMapper,
      }),
    ),
  );
}
