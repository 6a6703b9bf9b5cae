import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newBatchers } from '../../lib/adapters/dynamodb/calls/batchers.ts';
import { DynamoDBCommitter } from '../../lib/adapters/dynamodb/commit/committer.ts';
import { DynamoDBOutboxStore } from '../../lib/adapters/dynamodb/outbox/outbox-store.ts';
import { defaultMapper } from '../../lib/adapters/dynamodb/saga/mapper.ts';
import { DynamoDBSagaStore } from '../../lib/adapters/dynamodb/saga/saga-store.ts';
import { tableDefaults } from '../../lib/core/storage/table-defaults.ts';
import type { Committer, OutboxStore, SagaStore } from '../../lib/ports.ts';
import { withCurrentRevisions } from './current-revision.ts';
import { dynamoDBClient } from './engines.ts';
import { MovingClock } from './moving-clock.ts';

export interface StorePorts {
  sagas: SagaStore;
  outbox: OutboxStore;
  committer: Committer;
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
}

export function dynamoDBPorts(options: DynamoDBPortsOptions): StorePorts {
  const { client, endpoint = 'orders', clock = new MovingClock(), newCommitId } = options;
  const sagaTable = { ...tableDefaults, tableName: options.sagaTable };
  const outbox = {
    table: { ...tableDefaults, tableName: options.outboxTable ?? options.sagaTable },
    endpoint,
    deduplicationPeriodSeconds: options.deduplicationPeriodSeconds ?? 604_800,
  };
  const { reads, writes } = newBatchers(client, clock, () => 0.5);
  return {
    sagas: new DynamoDBSagaStore({ reads, table: sagaTable, mapper: defaultMapper }),
    outbox: new DynamoDBOutboxStore({ client, outbox, reads, writes }),
    committer: withCurrentRevisions(
      new DynamoDBCommitter({
        client,
        sagaTable,
        outbox,
        mapper: defaultMapper,
        endpoint,
        ...(newCommitId && { newCommitId }),
      }),
      // A client of its own: its reads are not among the calls that a test counts.
      new DynamoDBSagaStore({
        reads: newBatchers(dynamoDBClient(), clock).reads,
        table: sagaTable,
        mapper: defaultMapper,
      }),
    ),
  };
}
