import { SagaboxError } from '../../core/failures/errors.ts';
import { thrownMessage } from '../../core/failures/thrown.ts';
import type { OutgoingOperation } from '../../core/incoming/message.ts';
import { assertWriteCount, type Commit, type OutboxWrite } from '../../core/outbox/commit.ts';
import { joinChunks, unpack } from '../../core/outbox/packing.ts';
import { KeptState, type SagaCheck, type SagaRevision, type SagaWrite } from '../../core/saga/saga-state.ts';
import { outboxRecordKey, sagaKey } from '../../core/storage/keys.ts';
import { fromStateAttributes, toStateAttributes } from '../../core/storage/state-attributes.ts';
import type { Committer } from '../../ports.ts';
import type { MemoryStorage } from './storage.ts';

export interface MemoryCommitterOptions {
  storage: MemoryStorage;
  endpoint: string;
}

export class MemoryCommitter implements Committer {
  readonly #options: MemoryCommitterOptions;

  constructor(options: MemoryCommitterOptions) {
    this.#options = options;
  }

  keep(write: SagaWrite): SagaWrite {
    return write.kind === 'complete' ? write : { ...write, state: new KeptState(copyState(write)) };
  }

  /** All checks come before the first change, and nothing is awaited between them: that makes it atomic. */
  async commit(commit: Commit): Promise<void> {
    assertWriteCount(commit);
    if (commit.outbox) this.#assertNew(commit.outbox);
    if (commit.saga) this.#assertAsRead(commit.saga);
    const write = commit.saga?.kind === 'check' ? undefined : commit.saga;
    const kept = write && this.#keep(write, commit.at);

    const { storage } = this.#options;
    if (write) {
      const key = sagaKey(write.saga).partition;
      if (kept) storage.sagas.set(key, kept);
      else storage.sagas.delete(key);
      storage.leases.delete(key);
    }
    if (commit.outbox) {
      const { messageId, dispatched, storedAt, fingerprint } = commit.outbox;
      storage.records.set(this.#recordKey(commit.outbox), {
        messageId,
        dispatched,
        storedAt,
        ...(fingerprint && { fingerprint }),
        operations: this.#storedOperations(commit.outbox),
      });
    }
    storage.transactionItems.push(...commit.transactionItems);
  }

  #assertNew(record: OutboxWrite): void {
    const { storage, endpoint } = this.#options;
    if (storage.records.latest(this.#recordKey(record)) === undefined) return;
    throw new SagaboxError('DuplicateMessage', { endpoint, messageId: record.messageId });
  }

  #assertAsRead(write: SagaWrite | SagaCheck): void {
    const { sagas, leases } = this.#options.storage;
    const key = sagaKey(write.saga).partition;
    const isAsRead = isSame(sagas.latest(key)?.revision, write.kind === 'create' ? undefined : write.read);
    const isOurs = write.leaseOwner === undefined || leases.get(key)?.owner === write.leaseOwner;
    if (isAsRead && isOurs) return;
    const { name: sagaName, id: sagaId } = write.saga;
    throw new SagaboxError('SagaConcurrency', { sagaName, sagaId, operation: write.kind });
  }

  #keep(write: SagaWrite, at: Date) {
    if (write.kind === 'complete') return undefined;
    const state = copyState(write);
    const version = write.kind === 'create' ? 1 : write.read.version + 1;
    const createdAt = write.kind === 'create' ? at : write.createdAt;
    const revision = { version, commitId: this.#options.storage.newCommitId() };
    return { state, revision, createdAt, timeouts: write.timeouts };
  }

  /** By way of what DynamoDB would store. */
  #storedOperations({ messageId, operations, packed, chunks, encoding }: OutboxWrite): OutgoingOperation[] {
    if (operations.length === 0) return [];
    return unpack(packed ?? joinChunks(chunks), encoding, { ...this.#options, messageId });
  }

  #recordKey(record: OutboxWrite): string {
    return outboxRecordKey(this.#options.endpoint, record.messageId).partition;
  }
}

/** By way of what DynamoDB would store. */
function copyState({ saga, state }: Exclude<SagaWrite, { kind: 'complete' }>): unknown {
  if (KeptState.is(state)) return state.value;
  try {
    return fromStateAttributes(toStateAttributes(state));
  } catch (error) {
    const facts = { sagaName: saga.name, sagaId: saga.id, detail: thrownMessage(error) };
    throw new SagaboxError('UnsupportedState', facts, { cause: error });
  }
}

function isSame(one: SagaRevision | undefined, other: SagaRevision | undefined): boolean {
  return one?.version === other?.version && one?.commitId === other?.commitId;
}
