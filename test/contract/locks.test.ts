import { describe } from '@jest/globals';
import { MemoryCommitter } from '../../lib/testing/memory/committer.ts';
import { MemorySagaLocks } from '../../lib/testing/memory/saga-locks.ts';
import { MemorySagaStore } from '../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { dynamoDBPorts, storedSagas } from '../support/dynamodb-ports.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { dynamoDBSagaLocks } from '../support/saga-locks.ts';
import { describeLeaseCommits } from './lease-commits.ts';
import { describeLocks } from './locks.ts';
import type { LocksSubject } from './locks-kit.ts';

const client = dynamoDBClient();

async function openTable(): Promise<LocksSubject> {
  const tableName = await createTable();
  const { sagas, committer } = dynamoDBPorts({ client, sagaTable: tableName });
  return { sagas, committer, locks: (clock) => dynamoDBSagaLocks(client, tableName, clock) };
}

async function openMemory(): Promise<LocksSubject> {
  const storage = new MemoryStorage();
  const sagas = new MemorySagaStore(storage);
  const committer = new MemoryCommitter({ storage, endpoint: 'orders' });
  return {
    sagas: storedSagas(sagas),
    committer,
    locks: (clock) => new MemorySagaLocks(storage, sagas, clock),
  };
}

describe.each([
  ['on DynamoDB', openTable],
  ['in memory', openMemory],
])('leases %s', (_where, open) => {
  describe('by themselves', () => describeLocks(open));
  describe('and commits', () => describeLeaseCommits(open));
});
