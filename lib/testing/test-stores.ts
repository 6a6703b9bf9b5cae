import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Flow } from '../attempt/attempt.ts';
import type { Ports } from '../attempt/ports.ts';
import { type SagaIdentity, sagaKey } from '../dynamodb/keys.ts';
import { defaultDeduplicationPeriod, tableDefaults } from '../dynamodb/table-defaults.ts';
import { toSeconds } from '../kernel/duration.ts';
import { planWrites, type WriteTargets } from '../outbox/commit/planned-write.dynamodb.ts';
import { assertWithinLimits } from '../outbox/commit/transaction-limits.dynamodb.ts';
import { assertWriteCount, type Commit, messagesOf } from '../outbox/commit.ts';
import { type EmbeddedItem, embeddedItem } from '../outbox/embedded/embedded-item.ts';
import { embeddedPlanner } from '../outbox/embedded/embedded-planner.dynamodb.ts';
import type { EmbeddedWrite } from '../outbox/embedded/embedded-write.ts';
import { recordsOutbox } from '../pipeline/outbox/records-outbox.ts';
import { sagaItemOutbox } from '../pipeline/outbox/saga-item-outbox.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import type { StateMapper } from '../saga/item/mapper.dynamodb.ts';
import { keptWrite, stateAttributes, storedState } from '../saga/item/read-saga-item.dynamodb.ts';
import type { SagaStateWrite, SagaWrite } from '../saga/saga-state.ts';
import type { LoadedSaga } from '../saga/saga-store.ts';
import { MemoryCommitter } from './memory/committer.ts';
import { MemoryEmbeddedSagas } from './memory/embedded-sagas.ts';
import { MemorySagaStore } from './memory/saga-store.ts';
import type { MemoryStorage } from './memory/storage.ts';
import { commitIdOfSize, storedBytes } from './stored-bytes.ts';
import { TestTables } from './tables/test-tables.ts';

const deduplicationPeriodSeconds = toSeconds(defaultDeduplicationPeriod);

/** Reads the attributes that {@link MappedCommitter} keeps. */
export function mappedSagas(
  storage: MemoryStorage,
  mapper: StateMapper,
  compressesState = false,
): MemorySagaStore {
  return new MappedSagaStore(storage, mapper, compressesState);
}

class MappedSagaStore extends MemorySagaStore {
  readonly #storage: MemoryStorage;
  readonly #compressesState: boolean;

  constructor(storage: MemoryStorage, mapper: StateMapper, compressesState: boolean) {
    super(storage, (kept, saga) => storedState(kept as Record<string, AttributeValue>, saga, mapper));
    this.#storage = storage;
    this.#compressesState = compressesState;
  }

  /** With the bytes that its item has in production: they decide what is kept in it. */
  override read(saga: SagaIdentity): LoadedSaga {
    const found = this.#storage.sagaItem(sagaKey(saga).partition, 'read');
    const loaded = super.read(saga);
    const item = embeddedItem(loaded.item);
    if (found === undefined || item === undefined) return loaded;
    const bytes = storedBytes(saga, found, this.#compressesState);
    const sized: EmbeddedItem = { ...item, bytes };
    return { ...loaded, item: sized };
  }
}

export function embeddedSagas(storage: MemoryStorage): MemoryEmbeddedSagas {
  return new MemoryEmbeddedSagas({ storage, deduplicationPeriodSeconds });
}

/** What the flow of a saga has of the deduplication of its messages. */
export function testDeduplication(
  saga: SagaRules | undefined,
  { embedded }: Ports,
): Pick<Flow, 'outbox' | 'deduplicationPeriodSeconds'> {
  const outbox = embedded && saga?.outbox ? sagaItemOutbox(embedded) : recordsOutbox;
  return { outbox, deduplicationPeriodSeconds };
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
    const outbox = { table, endpoint, deduplicationPeriodSeconds };
    const planEmbedded = embeddedPlanner({ table, mapper, compressesState });
    this.#targets = { sagaTable: table, outbox, mapper, compressesState, planEmbedded };
  }

  override snapshot(write: SagaWrite): SagaWrite {
    return keptWrite(this.#targets.mapper, write);
  }

  override readSnapshot(kept: SagaStateWrite): ReturnType<MemoryCommitter['readSnapshot']> {
    const { mapper } = this.#targets;
    return storedState(stateAttributes(mapper, kept), kept.saga, mapper);
  }

  #keptEmbedded(write: EmbeddedWrite): EmbeddedWrite {
    const { state } = write;
    return typeof state === 'object' ? { ...write, state: this.snapshot(state) as SagaStateWrite } : write;
  }

  override async commit(commit: Commit): Promise<void> {
    assertWriteCount(commit);
    const saga = commit.saga?.kind === 'check' ? commit.saga : commit.saga && this.snapshot(commit.saga);
    const kept = {
      ...commit,
      saga,
      ...(commit.embedded && { embedded: this.#keptEmbedded(commit.embedded) }),
    };
    assertWithinLimits(planWrites(kept, this.#targets, commitIdOfSize));
    // All checks come before the first change, and nothing is awaited between them: that makes it atomic.
    this.check(kept);
    this.#tables.write(messagesOf(kept).flatMap(({ transactionItems }) => transactionItems));
    await super.commit(kept);
  }
}
