import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Fingerprint } from '../core/fingerprint.ts';
import type { Lease } from '../core/lease.ts';
import type { OutgoingOperation } from '../core/message.ts';
import type { PendingTimeout } from '../core/pending-timeouts.ts';
import type { SagaRevision } from '../core/saga-state.ts';

export interface MemorySaga {
  readonly state: unknown;
  readonly revision: SagaRevision;
  readonly createdAt: Date;
  readonly timeouts: readonly PendingTimeout[];
}

export interface MemoryRecord {
  readonly messageId: string;
  readonly dispatched: boolean;
  readonly storedAt: Date;
  readonly fingerprint?: Fingerprint | undefined;
  readonly operations: readonly OutgoingOperation[];
}

/** What the tables hold, in memory: several endpoints can share it, as they can share tables. */
export class MemoryStorage {
  /** By partition key, as in the saga table. */
  readonly sagas = new Map<string, MemorySaga>();
  /** By partition key; of sagas, also those that are going to be created, and of records that a recovery works on. */
  readonly leases = new Map<string, Lease>();
  /** By partition key, as in the outbox table. */
  readonly records = new Map<string, MemoryRecord>();
  /** The users' own writes that were committed. Their conditions and expressions are not evaluated. */
  readonly transactionItems: TransactWriteItem[] = [];
  #commits = 0;

  newCommitId(): string {
    this.#commits += 1;
    return `commit-${this.#commits}`;
  }
}
