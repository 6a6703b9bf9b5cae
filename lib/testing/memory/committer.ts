import { outboxRecordKey, sagaKey } from '../../dynamodb/keys.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import type { OutgoingOperation } from '../../messages/message.ts';
import type { Committer } from '../../outbox/commit/committer.ts';
import { assertWriteCount, type Commit, messagesOf } from '../../outbox/commit.ts';
import type { EmbeddedWrite } from '../../outbox/embedded/embedded-write.ts';
import { joinChunks, unpack } from '../../outbox/packing.ts';
import type { OutboxWrite } from '../../outbox/record.ts';
import type { CollectedContribution } from '../../saga/contribution.ts';
import type { SagaRevision } from '../../saga/item/saga-revision.ts';
import { fromStateAttributes, toStateAttributes } from '../../saga/item/state-attributes.ts';
import {
  KeptState,
  type SagaCheck,
  type SagaStateWrite,
  type SagaWrite,
  type StoredSaga,
} from '../../saga/saga-state.ts';
import { writtenVersion } from '../../saga/written-version.ts';
import { appendTo, storageKey } from './contributions.ts';
import { isAsRead, writeItem } from './embedded-sagas.ts';
import { readCopy } from './saga-store.ts';
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

  snapshot(write: SagaWrite): SagaWrite {
    return write.kind === 'complete' ? write : { ...write, state: new KeptState(copyState(write)) };
  }

  readSnapshot(kept: SagaStateWrite): Pick<StoredSaga, 'readState' | 'isSame'> {
    return readCopy(copyState(kept));
  }

  /**
   * All checks come before the first change, and nothing is awaited between them, so that a commit is atomic.
   */
  async commit(commit: Commit): Promise<void> {
    this.check(commit);
    const write = commit.saga?.kind === 'check' ? undefined : commit.saga;
    const kept = write && this.#snapshot(write, commit.at);

    const { storage } = this.#options;
    if (commit.embedded) this.#writeEmbedded(commit.embedded);
    if (write) {
      const key = sagaKey(write.saga).partition;
      storage.embedded.delete(key);
      if (kept) storage.sagas.set(key, kept);
      else storage.sagas.delete(key);
      storage.leases.delete(key);
    }
    for (const { outbox, transactionItems, appended = [], collected = [] } of messagesOf(commit)) {
      if (outbox && !outbox.sagaItem) this.#store(outbox);
      for (const contribution of appended) appendTo(storage, contribution);
      for (const { item } of collected) storage.contributions.delete(storageKey(item));
      storage.transactionItems.push(...transactionItems);
    }
  }

  /** @throws the error that the commit would throw now */
  check(commit: Commit): void {
    assertWriteCount(commit);
    for (const { outbox } of messagesOf(commit)) if (outbox && !outbox.sagaItem) this.#assertNew(outbox);
    if (commit.embedded) this.#assertItemAsRead(commit.embedded);
    if (commit.saga) this.#assertAsRead(commit.saga);
    for (const { collected = [] } of messagesOf(commit))
      for (const each of collected) this.#assertThere(each);
  }

  #writeEmbedded(write: EmbeddedWrite): void {
    const { state, at } = write;
    writeItem(
      this.#options.storage,
      write,
      typeof state === 'object' ? this.#snapshot(state, at) : undefined,
    );
  }

  #store(record: OutboxWrite): void {
    const { messageId, dispatched, storedAt, fingerprint, response } = record;
    const key = this.#recordKey(record);
    this.#options.storage.requestLeases.delete(key);
    this.#options.storage.records.set(key, {
      messageId,
      dispatched,
      storedAt,
      fingerprint,
      operations: this.#storedOperations(record),
      ...(response && { response }),
    });
  }

  #assertNew(record: OutboxWrite): void {
    const { storage, endpoint } = this.#options;
    const key = this.#recordKey(record);
    const leaseOwner = record.session?.leaseOwner;
    const isOurs = leaseOwner === undefined || storage.requestLeases.get(key)?.owner === leaseOwner;
    if (isOurs && storage.records.latest(key) === undefined) return;
    throw new SagaboxError('DuplicateMessage', { endpoint, messageId: record.messageId });
  }

  #assertAsRead(write: SagaWrite | SagaCheck): void {
    const { storage } = this.#options;
    const { leases } = storage;
    const key = sagaKey(write.saga).partition;
    const isAsRead = isSame(storage.sagaItem(key, 'latest')?.revision, write.read);
    const isOurs = write.leaseOwner === undefined || leases.get(key)?.owner === write.leaseOwner;
    if (isAsRead && isOurs) return;
    const { name: sagaName, id: sagaId } = write.saga;
    throw new SagaboxError('SagaConcurrency', { sagaName, sagaId, operation: write.kind });
  }

  #assertItemAsRead(write: EmbeddedWrite): void {
    if (isAsRead(this.#options.storage, write)) return;
    const { name: sagaName, id: sagaId } = write.saga;
    const operation = write.read ? 'update' : 'create';
    throw new SagaboxError('SagaConcurrency', { sagaName, sagaId, operation });
  }

  #assertThere({ item, saga }: CollectedContribution): void {
    if (this.#options.storage.contributions.latest(storageKey(item)) !== undefined) return;
    const { name: sagaName, id: sagaId } = saga;
    throw new SagaboxError('SagaConcurrency', { sagaName, sagaId, operation: 'update' });
  }

  #snapshot(write: SagaWrite, at: Date) {
    if (write.kind === 'complete') return undefined;
    const state = copyState(write);
    const createdAt = write.kind === 'create' ? at : write.createdAt;
    const { stateVersion, timeouts } = write;
    const revision = { version: writtenVersion(write), commitId: this.#options.storage.newCommitId() };
    const versioned = stateVersion !== undefined && { stateVersion };
    return { state, ...versioned, revision, createdAt, updatedAt: at, timeouts };
  }

  /** Returns the operations as they are read from what DynamoDB would store. */
  #storedOperations({ messageId, operations, packed, chunks, encoding }: OutboxWrite): OutgoingOperation[] {
    if (operations.length === 0 || encoding === undefined) return [];
    return unpack(packed ?? joinChunks(chunks), encoding, { ...this.#options, messageId });
  }

  #recordKey(record: OutboxWrite): string {
    return outboxRecordKey(this.#options.endpoint, record.messageId).partition;
  }
}

/** Copies a state by way of the attributes that DynamoDB would store. */
function copyState({ saga, state }: SagaStateWrite): unknown {
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
