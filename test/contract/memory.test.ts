import { describe } from '@jest/globals';
import { defaultMapper } from '../../lib/adapters/dynamodb/saga/mapper.ts';
import { MemoryCommitter } from '../../lib/adapters/memory/committer.ts';
import { MemoryOutboxStore } from '../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaStore } from '../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/adapters/memory/storage.ts';
import { MappedCommitter, mappedSagas } from '../../lib/testing/test-stores.ts';
import { withCurrentRevisions } from '../support/current-revision.ts';
import { storedSagas } from '../support/dynamodb-ports.ts';
import { type ContractSubject, describePortsContract } from './ports-contract.ts';

function subjectOf(
  openSagas: (storage: MemoryStorage) => MemorySagaStore,
  openCommitter: (storage: MemoryStorage, endpoint: string, compressesState?: boolean) => MemoryCommitter,
): ContractSubject {
  const storage = new MemoryStorage();
  const sagas = openSagas(storage);
  return {
    ports: (endpoint, compressesState) => ({
      sagas: storedSagas(sagas),
      outbox: new MemoryOutboxStore(storage, endpoint),
      committer: withCurrentRevisions(openCommitter(storage, endpoint, compressesState), sagas),
    }),
    userTable: 'users',
    committedUserKeys: async () =>
      storage.transactionItems.map(({ Put }) => Put?.Item?.PK?.S ?? '').toSorted(),
  };
}

describe('the ports in memory', () =>
  describePortsContract(async () =>
    subjectOf(
      (storage) => new MemorySagaStore(storage),
      (storage, endpoint) => new MemoryCommitter({ storage, endpoint }),
    ),
  ));

describe('the ports of the test kit', () =>
  describePortsContract(async () =>
    subjectOf(
      (storage) => mappedSagas(storage, defaultMapper),
      (storage, endpoint, compressesState) =>
        new MappedCommitter(storage, defaultMapper, endpoint, compressesState),
    ),
  ));
