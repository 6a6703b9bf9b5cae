import type { SentBitmap } from '../outbox/sent-bitmap.ts';
import type { Lease } from '../saga/lease.ts';
import type { SagaRevision } from '../saga/saga-revision.ts';
import type { Inbox } from './inbox.ts';
import type { PendingOperations } from './pending-bytes.ts';

/** What a message of the saga left to be sent, until all of it is. */
export interface PendingEntry extends PendingOperations {
  readonly messageId: string;
  readonly sent?: SentBitmap | undefined;
  /** Of a relay. */
  readonly lease?: Lease | undefined;
}

/** Of an item: where the outbox is of those who may write it. */
export type SagaSchema = 'records' | 'embedded';

/**
 * The item of a saga, as it was read, beside its state. Of a saga that has ended it may be a tombstone: it has no
 * state, and knows the messages that were handled until it expires.
 */
export interface SagaItem {
  readonly schema: SagaSchema;
  /** Of whoever writes its inbox. Undefined if nobody has done that yet. */
  readonly endpoint: string | undefined;
  readonly revision: SagaRevision;
  readonly isTombstone: boolean;
  /** Undefined if nobody has written one yet. */
  readonly inbox: Inbox | undefined;
  /** By {@link Inbox.keyOf}. */
  readonly pending: ReadonlyMap<string, PendingEntry>;
  /** Of its state: there are timeouts to come. */
  readonly hasTimeouts: boolean;
  readonly updatedAt: Date;
  /** When the last write was made that tells the item alone, or the records alone, of its messages. */
  readonly changeover?: Date | undefined;
  /** Of a tombstone from which all is sent. */
  readonly expiresAt?: Date | undefined;
  /** Whether its messages have outbox records: the inbox is full. */
  readonly isOverflowed: boolean;
  readonly bytes: number;
}

/** Whether it is as if it were not there: DynamoDB deletes it later than it expires. */
export function isExpired({ isTombstone, expiresAt }: SagaItem, now: Date): boolean {
  return isTombstone && expiresAt !== undefined && expiresAt <= now;
}
