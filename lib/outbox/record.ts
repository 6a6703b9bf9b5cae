import { cheaperForm, compress } from '../dynamodb/compression.ts';
import type { Lease } from '../kernel/lease.ts';
import type { Fingerprint } from '../messages/fingerprint.ts';
import type { OutgoingOperation } from '../messages/message.ts';
import type { RecordSagaItem } from './embedded/record-saga-item.ts';
import { chunksOf, pack } from './packing.ts';
import type { RecordEncoding } from './record-encoding.ts';
import { recordWriteUnits } from './record-size.ts';
import type { SentBitmap } from './sent-bitmap.ts';
import { responseBytes, type StoredResponse } from './stored-response.ts';

/** A reference to a record of an endpoint. */
export interface RecordReference {
  readonly messageId: string;
  /** @default - the record is an item of its own */
  readonly sagaItem?: Pick<RecordSagaItem, 'partition' | 'key'> | undefined;
}

/** The record of a message that was committed before, as deduplication reads it. */
export interface OutboxRecord extends RecordReference {
  readonly dispatched: boolean;
  readonly storedAt: Date;
  /** The message's fingerprint. @default - a saga's item keeps the message, and its inbox tells the type */
  readonly fingerprint?: Fingerprint | undefined;
  /** The operations of the message; none once it is dispatched. */
  readonly operations: readonly OutgoingOperation[];
  /** The number of items besides the record that hold operations. */
  readonly chunkCount: number;
  readonly sent?: SentBitmap | undefined;
  /** The response of a session, kept as long as the record. @default - there is no response, or no session */
  readonly response?: StoredResponse | undefined;
  /** The lease under which a relay has the record, or leaves it alone. */
  readonly lease?: Pick<Lease, 'until' | 'postponed'> | undefined;
  /** The entry in an item with an embedded outbox. @default - the record is an item of its own */
  readonly sagaItem?: RecordSagaItem | undefined;
}

export interface OutboxWrite extends OutboxRecord {
  /** The session, whose record may replace a lease on its request. @default - the record of a message */
  readonly session?: SessionWrite | undefined;
  /** The encoding of the operations; `undefined` without operations. */
  readonly encoding: RecordEncoding | undefined;
  /** The operations in the record itself; `undefined` when they are in chunks, or there are none. */
  readonly packed: Uint8Array | undefined;
  readonly chunks: readonly Uint8Array[];
}

/** @see RequestLeases of the ports */
export interface SessionWrite {
  /** The owner that has to have the lease. @default - any owner may have it, or none */
  readonly leaseOwner?: string | undefined;
}

export interface RecordContent {
  readonly endpoint: string;
  readonly messageId: string;
  readonly operations: readonly OutgoingOperation[];
  readonly storedAt: Date;
  readonly fingerprint?: Fingerprint | undefined;
  readonly response?: StoredResponse | undefined;
  readonly session?: SessionWrite | undefined;
  /** @default - the record is an item of its own */
  readonly sagaItem?: RecordSagaItem | undefined;
}

/**
 * Returns the write of a record. A record without operations counts as dispatched. Operations are compressed
 * only when that saves a write unit; those in the item of a saga whenever that makes them smaller.
 *
 * @throws SagaboxError `TransactionLimit` for more operations than can be packed.
 */
export function outboxWrite(content: RecordContent): OutboxWrite {
  const { endpoint, operations } = content;
  if (operations.length === 0) return recordOf(content, undefined, undefined);
  const packed = pack(operations, content);
  const uncompressed = recordOf(content, packed, 's');
  if (content.sagaItem === undefined) {
    const compressed = () => recordOf(content, compress(packed), 'sb');
    return cheaperForm(uncompressed, compressed, (write) => recordWriteUnits(endpoint, write));
  }
  // The rest of the item is not known yet: each byte may take a unit more.
  const compressed = compress(packed);
  return compressed.byteLength < packed.byteLength ? recordOf(content, compressed, 'sb') : uncompressed;
}

/** Returns the record of a message at an endpoint without an outbox, where it is not stored. */
export function unstored({ messageId, operations, storedAt }: RecordContent): OutboxRecord {
  return { messageId, dispatched: false, storedAt, operations, chunkCount: 0 };
}

/** @param stored the packed operations, in this encoding */
export function recordOf(
  { messageId, operations, storedAt, fingerprint, response, session, sagaItem }: RecordContent,
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
    ...(sagaItem && { sagaItem }),
  };
}
