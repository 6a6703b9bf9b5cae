import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { planWrites, type WriteTargets } from '../adapters/dynamodb/commit/planned-write.ts';
import { assertWithinLimits } from '../adapters/dynamodb/commit/transaction-limits.ts';
import type { StateMapper } from '../adapters/dynamodb/saga/mapper.ts';
import { keptWrite, stateAttributes, storedState } from '../adapters/dynamodb/saga/saga-item.ts';
import { MemoryCommitter } from '../adapters/memory/committer.ts';
import { MemorySagaStore } from '../adapters/memory/saga-store.ts';
import type { MemoryStorage } from '../adapters/memory/storage.ts';
import { toSeconds } from '../core/duration.ts';
import { assertWriteCount, type Commit, messagesOf } from '../core/outbox/commit.ts';
import type { SagaStateWrite, SagaWrite } from '../core/saga/saga-state.ts';
import { defaultDeduplicationPeriod, tableDefaults } from '../core/storage/table-defaults.ts';
import { TestTables } from './tables/test-tables.ts';

/** Reads the attributes that {@link MappedCommitter} keeps. */
export function mappedSagas(storage: MemoryStorage, mapper: StateMapper): MemorySagaStore {
  return new MemorySagaStore(storage, (kept, saga) =>
    storedState(kept as Record<string, AttributeValue>, saga, mapper),
  );
}

/**
 * Keeps the attributes that the mapper makes of a state, and refuses what the DynamoDB committer refuses
 * before its first call.
 */
export class MappedCommitter extends MemoryCommitter {
  readonly #targets: WriteTargets;
  readonly #tables: TestTables;

  constructor(
    storage: MemoryStorage,
    mapper: StateMapper,
    endpoint: string,
    compressesState = false,
    tables = new TestTables(),
  ) {
    super({ storage, endpoint });
    this.#tables = tables;
    const table = { ...tableDefaults, tableName: 'test' };
    const deduplicationPeriodSeconds = toSeconds(defaultDeduplicationPeriod);
    const outbox = { table, endpoint, deduplicationPeriodSeconds };
    this.#targets = { sagaTable: table, outbox, mapper, compressesState };
  }

  override keep(write: SagaWrite): SagaWrite {
    return keptWrite(this.#targets.mapper, write);
  }

  override readKept(kept: SagaStateWrite): ReturnType<MemoryCommitter['readKept']> {
    const { mapper } = this.#targets;
    return storedState(stateAttributes(mapper, kept), kept.saga, mapper);
  }

  override async commit(commit: Commit): Promise<void> {
    assertWriteCount(commit);
    const saga = commit.saga?.kind === 'check' ? commit.saga : commit.saga && this.keep(commit.saga);
    const kept = { ...commit, saga };
    assertWithinLimits(planWrites(kept, this.#targets, 'test'));
    // All checks come before the first change, and nothing is awaited between them: that makes it atomic.
    this.check(kept);
    this.#tables.write(messagesOf(kept).flatMap(({ transactionItems }) => transactionItems));
    await super.commit(kept);
  }
}
