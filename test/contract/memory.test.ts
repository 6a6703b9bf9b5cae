import { describe } from '@jest/globals';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { MemoryCommitter } from '../../lib/testing/memory/committer.ts';
import { MemoryOutboxStore } from '../../lib/testing/memory/outbox-store.ts';
import { MemorySagaStore } from '../../lib/testing/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
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
