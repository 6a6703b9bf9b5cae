import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { SagaboxError } from '../failures/errors.ts';
import type { Fingerprint } from '../incoming/fingerprint.ts';
import type { OutgoingOperation } from '../incoming/message.ts';
import { limits } from '../limits.ts';
import type { Lease } from '../saga/lease.ts';
import type { SagaCheck, SagaWrite } from '../saga/saga-state.ts';
import { responseBytes, type StoredResponse } from '../session/stored-response.ts';
import type { CapacityMeter } from '../storage/capacity-meter.ts';
import { compress } from '../storage/compression.ts';
import { recordWriteUnits } from '../storage/record-size.ts';
import { chunksOf, pack, packSlim } from './packing.ts';
import { RECORD_FORM_DEFAULT, type RecordEncoding, type RecordForm } from './record-form.ts';
import type { SentBitmap } from './sent-bitmap.ts';

/** What deduplication knows of a message that was committed before. */
export interface OutboxRecord {
  readonly messageId: string;
  readonly dispatched: boolean;
  readonly storedAt: Date;
  /** Of the message; undefined in records of earlier versions. */
  readonly fingerprint?: Fingerprint | undefined;
  /** Empty once dispatched. */
  readonly operations: readonly OutgoingOperation[];
  /** Items besides the record that hold operations. */
  readonly chunkCount: number;
  readonly sent?: SentBitmap | undefined;
  /** Of a session: kept as long as the record. @default - it returned nothing, or is no session */
  readonly response?: StoredResponse | undefined;
  /** Under which a relay has it, or leaves it alone. */
  readonly lease?: Pick<Lease, 'until' | 'postponed'> | undefined;
}

export interface OutboxWrite extends OutboxRecord {
  /** Of a session: it may stand where a lease on its request is. @default - it is of a message */
  readonly session?: SessionWrite | undefined;
  readonly encoding: RecordEncoding | undefined;
  /** In the record itself; undefined when they are in chunks, or there are none. */
  readonly packed: Uint8Array | undefined;
  readonly chunks: readonly Uint8Array[];
}

/** @see RequestLeases of the ports */
export interface SessionWrite {
  /** Who has to have the lease. @default - anybody may have it, or nobody */
  readonly leaseOwner?: string | undefined;
}

/** What one message changes beside its saga. */
export interface MessageWrites {
  readonly outbox: OutboxWrite | undefined;
  readonly transactionItems: readonly TransactWriteItem[];
}

/** Of a message that is committed behind the first one, which pays for a part of the commit. */
export interface FollowingWrites extends MessageWrites {
  readonly meter: CapacityMeter;
}

/** Everything that one message changes, or several of one saga: it is written together or not at all. */
export interface Commit extends MessageWrites {
  readonly saga: SagaWrite | SagaCheck | undefined;
  readonly at: Date;
  /** Each was handled behind the one before it. @default - none */
  readonly following?: readonly FollowingWrites[];
}

export interface RecordContent {
  readonly endpoint: string;
  readonly messageId: string;
  readonly operations: readonly OutgoingOperation[];
  readonly storedAt: Date;
  readonly fingerprint?: Fingerprint | undefined;
  readonly relayIndex?: boolean | undefined;
  /** @default 'slim' */
  readonly form?: RecordForm | undefined;
  readonly response?: StoredResponse | undefined;
  readonly session?: SessionWrite | undefined;
}

/**
 * A record without operations counts as dispatched. Operations are compressed only when that saves a write
 * unit.
 *
 * @throws SagaboxError `TransactionLimit` for more operations than can be packed.
 */
export function outboxWrite(content: RecordContent): OutboxWrite {
  const { endpoint, operations, relayIndex, form = RECORD_FORM_DEFAULT } = content;
  if (operations.length === 0) return recordOf(content, undefined, undefined);
  const isSlim = form === 'slim';
  const packed = isSlim ? packSlim(operations, content) : pack(operations);
  const uncompressed = recordOf(content, packed, isSlim ? 's' : undefined);
  const units = recordWriteUnits(endpoint, uncompressed, relayIndex);
  if (units === 1) return uncompressed;
  const compressed = recordOf(content, compress(packed), isSlim ? 'sb' : 'br');
  return recordWriteUnits(endpoint, compressed, relayIndex) < units ? compressed : uncompressed;
}

/** For endpoints without an outbox: what is sent after the commit, and kept nowhere. */
export function unstored({ messageId, operations, storedAt }: RecordContent): OutboxRecord {
  return { messageId, dispatched: false, storedAt, operations, chunkCount: 0 };
}

/** @param stored the packed operations, in this encoding */
export function recordOf(
  { messageId, operations, storedAt, fingerprint, response, session }: RecordContent,
  stored: Uint8Array | undefined,
  encoding: RecordEncoding | undefined,
): OutboxWrite {
  const chunks = stored === undefined ? [] : chunksOf(stored, responseBytes(response));
  return {
    messageId,
    dispatched: operations.length === 0,
    storedAt,
    fingerprint,
    operations,
    encoding,
    packed: chunks.length === 0 ? stored : undefined,
    chunks,
    chunkCount: chunks.length,
    ...(response && { response }),
    ...(session && { session }),
  };
}

/** Of each message of the commit, in the order in which they were handled. */
export function messagesOf(commit: Commit): readonly MessageWrites[] {
  return commit.following === undefined ? [commit] : [commit, ...commit.following];
}

export function isEmpty(commit: Commit): boolean {
  return commit.saga === undefined && commit.outbox === undefined && commit.transactionItems.length === 0;
}

/** @throws SagaboxError `TransactionLimit` for more writes than one transaction takes. */
export function assertWriteCount(commit: Commit): void {
  let ownWrites = commit.saga === undefined ? 0 : 1;
  let usersWrites = 0;
  for (const { outbox, transactionItems } of messagesOf(commit)) {
    ownWrites += outbox === undefined ? 0 : 1 + outbox.chunkCount;
    usersWrites += transactionItems.length;
  }
  const actual = ownWrites + usersWrites;
  if (actual <= limits.transactionItems) return;
  throw new SagaboxError('TransactionLimit', {
    limit: `writes (${usersWrites} added by the handler, ${ownWrites} by sagabox)`,
    actual,
    maximum: limits.transactionItems,
    remedy: 'add fewer items to the transaction, or split the work over several messages',
  });
}
