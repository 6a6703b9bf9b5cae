import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { EmbeddedItem } from '../../core/embedded/embedded-item.ts';
import { SALT_BYTES } from '../../core/embedded/salted-hash.ts';
import type { Fingerprint } from '../../core/incoming/fingerprint.ts';
import type { OutgoingOperation } from '../../core/incoming/message.ts';
import { type SentBitmap, unitedBitmap } from '../../core/outbox/sent-bitmap.ts';
import type { FoundContribution } from '../../core/saga/contribution.ts';
import type { Lease } from '../../core/saga/lease.ts';
import type { PendingTimeout } from '../../core/saga/pending-timeouts.ts';
import type { SagaRevision } from '../../core/saga/saga-revision.ts';
import type { StoredResponse } from '../../core/session/stored-response.ts';
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

/** Of a saga whose item keeps the messages that were handled. */
export interface MemorySagaItem extends EmbeddedItem {
  /** Undefined for a tombstone. */
  readonly saga: MemorySaga | undefined;
}

export interface MemoryRecord {
  readonly messageId: string;
  readonly dispatched: boolean;
  readonly storedAt: Date;
  readonly fingerprint?: Fingerprint | undefined;
  readonly operations: readonly OutgoingOperation[];
  readonly response?: StoredResponse | undefined;
  /** Of an undispatched record. */
  readonly sent?: SentBitmap;
}

/** What the tables hold, in memory: several endpoints can share it, as they can share tables. */
export class MemoryStorage {
  /** By partition key, as in the saga table. */
  readonly sagas = new MemoryItems<MemorySaga>();
  /** The same, of those whose item keeps the messages that were handled: each is in one of the two. */
  readonly embedded = new MemoryItems<MemorySagaItem>();
  /** By both of their keys, separated by a space. */
  readonly contributions = new MemoryItems<FoundContribution>();
  /**
   * By partition key; of sagas, also those that are going to be created, and of records that a relay works
   * on.
   */
  readonly leases = new Map<string, Lease>();
  /** By partition key of the record that is going to be. */
  readonly requestLeases = new Map<string, Lease & { readonly fingerprint: Fingerprint }>();
  /** By partition key, as in the outbox table. */
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

  /** @returns what the record holds then; what was given, when it is dispatched or gone */
  keepSent(key: string, sent: SentBitmap): SentBitmap {
    const record = this.records.get(key);
    if (record?.dispatched !== false) return sent;
    const united = unitedBitmap(sent, record.sent);
    this.records.set(key, { ...record, sent: united });
    return united;
  }

  /** Another one for each item, and the same in each run: nothing outside meets what is in memory. */
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

/** Without an inbox, as whoever keeps records alone writes it. */
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
