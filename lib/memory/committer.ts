import { assertWriteCount, type Commit, type OutboxWrite } from '../core/commit.ts';
import { SagaboxError } from '../core/errors.ts';
import { outboxRecordKey, sagaKey } from '../core/keys.ts';
import type { SagaWrite } from '../core/saga-state.ts';
import type { Committer } from '../ports.ts';
import type { MemoryStorage } from './storage.ts';

export interface MemoryCommitterOptions {
  storage: MemoryStorage;
  endpoint: string;
  /**
   * Turns a state into what is kept of it, and throws for what cannot be kept.
   *
   * @default structuredClone
   */
  copyState?: (state: unknown) => unknown;
}

export class MemoryCommitter implements Committer {
  readonly #options: MemoryCommitterOptions;

  constructor(options: MemoryCommitterOptions) {
    this.#options = options;
  }

  /** All checks come before the first change, and nothing is awaited between them: that makes it atomic. */
  async commit(commit: Commit): Promise<void> {
    assertWriteCount(commit);
    if (commit.outbox) this.#assertNew(commit.outbox);
    if (commit.saga) this.#assertAsRead(commit.saga);
    const kept = commit.saga && this.#keep(commit.saga, commit.at);

    const { storage } = this.#options;
    if (commit.saga && kept) storage.sagas.set(sagaKey(commit.saga.saga).partition, kept);
    else if (commit.saga) storage.sagas.delete(sagaKey(commit.saga.saga).partition);
    if (commit.outbox) {
      const { dispatched, operations } = commit.outbox;
      storage.records.set(this.#recordKey(commit.outbox), {
        dispatched,
        operations: structuredClone(operations),
      });
    }
    storage.transactionItems.push(...commit.transactionItems);
  }

  #assertNew(record: OutboxWrite): void {
    const { storage, endpoint } = this.#options;
    if (!storage.records.has(this.#recordKey(record))) return;
    throw new SagaboxError('DuplicateMessage', { endpoint, messageId: record.messageId });
  }

  #assertAsRead(write: SagaWrite): void {
    const stored = this.#options.storage.sagas.get(sagaKey(write.saga).partition);
    if (stored?.version === (write.kind === 'create' ? undefined : write.readVersion)) return;
    const { name: sagaName, id: sagaId } = write.saga;
    throw new SagaboxError('SagaConcurrency', { sagaName, sagaId, operation: write.kind });
  }

  #keep(write: SagaWrite, at: Date) {
    if (write.kind === 'complete') return undefined;
    const state = this.#copyState(write);
    if (write.kind === 'create') return { state, version: 1, createdAt: at };
    return { state, version: write.readVersion + 1, createdAt: write.createdAt };
  }

  #copyState({ saga, state }: Exclude<SagaWrite, { kind: 'complete' }>): unknown {
    try {
      return (this.#options.copyState ?? structuredClone)(state);
    } catch (error) {
      const facts = { sagaName: saga.name, sagaId: saga.id, detail: (error as Error).message };
      throw new SagaboxError('UnsupportedState', facts, { cause: error });
    }
  }

  #recordKey(record: OutboxWrite): string {
    return outboxRecordKey(this.#options.endpoint, record.messageId).partition;
  }
}
