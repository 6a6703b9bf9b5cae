import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { planWrites, type WriteTargets } from '../adapters/dynamodb/commit/planned-write.ts';
import { assertWithinLimits } from '../adapters/dynamodb/commit/transaction-limits.ts';
import type { StateMapper } from '../adapters/dynamodb/saga/mapper.ts';
import { storedState } from '../adapters/dynamodb/saga/saga-item.ts';
import { MemoryCommitter } from '../adapters/memory/committer.ts';
import type { MemoryStorage } from '../adapters/memory/storage.ts';
import { toSeconds } from '../core/duration.ts';
import { assertWriteCount, type Commit } from '../core/outbox/commit.ts';
import type { SagaWrite, StoredSaga } from '../core/saga/saga-state.ts';
import { type SagaIdentity, sagaKey } from '../core/storage/keys.ts';
import { defaultDeduplicationPeriod, tableDefaults } from '../core/storage/table-defaults.ts';
import type { Committer, SagaStore } from '../ports.ts';

/** Keeps the attributes that the mapper makes of a state, and hands out the state that it makes of them. */
export class MappedSagaStore implements SagaStore {
  readonly #storage: MemoryStorage;
  readonly #mapper: StateMapper;

  constructor(storage: MemoryStorage, mapper: StateMapper) {
    this.#storage = storage;
    this.#mapper = mapper;
  }

  async load(saga: SagaIdentity): Promise<StoredSaga | undefined> {
    return this.read(saga);
  }

  read(saga: SagaIdentity): StoredSaga | undefined {
    const stored = this.#storage.sagas.get(sagaKey(saga).partition);
    if (stored === undefined) return undefined;
    const { state: attributes, ...others } = stored;
    return { ...storedState(attributes as Record<string, AttributeValue>, saga, this.#mapper), ...others };
  }
}

/** Refuses what the DynamoDB committer refuses before its first call, in the same words. */
export class LimitedCommitter implements Committer {
  readonly #memory: MemoryCommitter;
  readonly #targets: WriteTargets;

  constructor(storage: MemoryStorage, mapper: StateMapper, endpoint: string) {
    this.#memory = new MemoryCommitter({
      storage,
      endpoint,
      copyState: (state) => mapper.toAttributes(state),
    });
    const table = { ...tableDefaults, tableName: 'test' };
    const deduplicationPeriodSeconds = toSeconds(defaultDeduplicationPeriod);
    const outbox = { table, endpoint, deduplicationPeriodSeconds };
    this.#targets = { sagaTable: table, outbox, mapper };
  }

  keep(write: SagaWrite): SagaWrite {
    return this.#memory.keep(write);
  }

  async commit(commit: Commit): Promise<void> {
    assertWriteCount(commit);
    assertWithinLimits(planWrites(commit, this.#targets, 'test'));
    await this.#memory.commit(commit);
  }
}
