import { describe } from '@jest/globals';
import { MemoryCommitter } from '../../lib/memory/committer.ts';
import { MemoryOutboxStore } from '../../lib/memory/outbox-store.ts';
import { MemorySagaStore } from '../../lib/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/memory/storage.ts';
import { type ContractSubject, describePortsContract } from './ports-contract.ts';

async function openMemory(): Promise<ContractSubject> {
  const storage = new MemoryStorage();
  return {
    ports: (endpoint) => ({
      sagas: new MemorySagaStore(storage),
      outbox: new MemoryOutboxStore(storage, endpoint),
      committer: new MemoryCommitter({ storage, endpoint }),
    }),
    userTable: 'users',
    committedUserKeys: async () =>
      storage.transactionItems.map(({ Put }) => Put?.Item?.PK?.S ?? '').toSorted(),
  };
}

describe('the ports in memory', () => describePortsContract(openMemory));
