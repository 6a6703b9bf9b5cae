import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Lease } from '../../kernel/lease.ts';
import type { Fingerprint } from '../../messages/fingerprint.ts';
import type { OutgoingOperation } from '../../messages/message.ts';
import type { EmbeddedItem } from '../../outbox/embedded/embedded-item.ts';
import { SALT_BYTES } from '../../outbox/embedded/salted-hash.ts';
import { type SentBitmap, unitedBitmap } from '../../outbox/sent-bitmap.ts';
import type { StoredResponse } from '../../outbox/stored-response.ts';
import type { FoundContribution } from '../../saga/contribution.ts';
import type { SagaRevision } from '../../saga/item/saga-revision.ts';
import type { PendingTimeout } from '../../sending/pending-timeouts.ts';
import { MemoryItems } from './items.ts';

export interface MemorySaga {
  readonly state: unknown;
  /** @default 1 */
  readonly stateVersion?: number;
  readonly revision: SagaRevision;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly timeouts: readonly PendingTimeout[];
}

/** The item of a saga, with its embedded outbox if it has one. */
export interface MemorySagaItem extends EmbeddedItem {
  /** The saga; `undefined` for a tombstone. */
  readonly saga: MemorySaga | undefined;
}

export interface MemoryRecord {
  readonly messageId: string;
  readonly dispatched: boolean;
  readonly storedAt: Date;
  readonly fingerprint?: Fingerprint | undefined;
  readonly operations: readonly OutgoingOperation[];
  readonly response?: StoredResponse | undefined;
  /** The operations of an undispatched record that are sent. */
  readonly sent?: SentBitmap;
}

/** The contents of the tables, in memory: several endpoints can share them, as they can share tables. */
export class MemoryStorage {
  /** The sagas by partition key, as in the saga table. */
  readonly sagas = new MemoryItems<MemorySaga>();
  /** The items of sagas with an embedded outbox, by partition key: each saga is in one of the two maps. */
  readonly embedded = new MemoryItems<MemorySagaItem>();
  /** The contributions by both of their keys, separated by a space. */
  readonly contributions = new MemoryItems<FoundContribution>();
  /**
   * The leases by partition key: of sagas, also of those to be created, and of records that a relay
   * dispatches.
   */
  readonly leases = new Map<string, Lease>();
  /** The leases of requests, by the partition key of the record to be stored. */
  readonly requestLeases = new Map<string, Lease & { readonly fingerprint: Fingerprint }>();
  /** The outbox records by partition key, as in the outbox table. */
  readonly records = new MemoryItems<MemoryRecord>();
  /** The users' own writes that were committed. Their conditions and expressions are not evaluated. */
  readonly transactionItems: TransactWriteItem[] = [];
  #commits = 0;
  #salts = 0;

  /** The item of a saga in either form, as a read finds it, or as the condition of a write sees it. */
  sagaItem(key: string, seenBy: 'read' | 'latest'): MemorySagaItem | undefined {
    const item = this.embedded[seenBy](key);
    const saga = this.sagas[seenBy](key);
    return item ?? (saga && itemOfRecords(saga));
  }

  /** @returns the bitmap that the record then holds; the given one, when the record is dispatched or gone */
  saveProgress(key: string, sent: SentBitmap): SentBitmap {
    const record = this.records.get(key);
    if (record?.dispatched !== false) return sent;
    const united = unitedBitmap(sent, record.sent);
    this.records.set(key, { ...record, sent: united });
    return united;
  }

  /** Returns another salt for each item, the same in each run: in memory, salts need not be secret. */
  newSalt(): Uint8Array {
    this.#salts += 1;
    const salt = Buffer.alloc(SALT_BYTES);
    salt.writeUInt32BE(this.#salts);
    return salt;
  }

  newCommitId(): string {
    this.#commits += 1;
    return `commit-${this.#commits}`;
  }
}

/** Returns the item of a saga with outbox records only: it has no inbox. */
export function itemOfRecords(saga: MemorySaga): MemorySagaItem {
  return {
    schema: 'records',
    endpoint: undefined,
    revision: saga.revision,
    isTombstone: false,
    inbox: undefined,
    pending: new Map(),
    hasTimeouts: saga.timeouts.length > 0,
    updatedAt: saga.updatedAt,
    isOverflowed: false,
    bytes: 0,
    saga,
  };
}
