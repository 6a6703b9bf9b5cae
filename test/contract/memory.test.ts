import { describe } from '@jest/globals';
import { MemoryCommitter } from '../../lib/adapters/memory/committer.ts';
import { MemoryOutboxStore } from '../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaStore } from '../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/adapters/memory/storage.ts';
import { withCurrentRevisions } from '../support/current-revision.ts';
import { type ContractSubject, describePortsContract } from './ports-contract.ts';

async function openMemory(): Promise<ContractSubject> {
  const storage = new MemoryStorage();
  const sagas = new MemorySagaStore(storage);
  return {
    ports: (endpoint) => ({
      sagas,
      outbox: new MemoryOutboxStore(storage, endpoint),
      committer: withCurrentRevisions(new MemoryCommitter({ storage, endpoint }), sagas),
    }),
    userTable: 'users',
    committedUserKeys: async () =>
      storage.transactionItems.map(({ Put }) => Put?.Item?.PK?.S ?? '').toSorted(),
  };
}

describe('the ports in memory', () => describePortsContract(openMemory));
