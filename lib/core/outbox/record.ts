import type { RecordHolder } from '../embedded/record-holder.ts';
import type { Fingerprint } from '../incoming/fingerprint.ts';
import type { OutgoingOperation } from '../incoming/message.ts';
import type { Lease } from '../saga/lease.ts';
import { responseBytes, type StoredResponse } from '../session/stored-response.ts';
import { compress } from '../storage/compression.ts';
import { recordWriteUnits } from '../storage/record-size.ts';
import { chunksOf, pack } from './packing.ts';
import type { RecordEncoding } from './record-encoding.ts';
import type { SentBitmap } from './sent-bitmap.ts';

/** Which record of an endpoint. */
export interface RecordReference {
  readonly messageId: string;
  /** @default - the record is an item of its own */
  readonly holder?: Pick<RecordHolder, 'partition' | 'key'> | undefined;
}

/** What deduplication knows of a message that was committed before. */
export interface OutboxRecord extends RecordReference {
  readonly dispatched: boolean;
  readonly storedAt: Date;
  /** Of the message. @default - the item of a saga keeps it, and its inbox tells the type */
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
  /** Of a saga with an embedded outbox. @default - the record is an item of its own */
  readonly holder?: RecordHolder | undefined;
}

export interface OutboxWrite extends OutboxRecord {
  /** Of a session: it may stand where a lease on its request is. @default - it is of a message */
  readonly session?: SessionWrite | undefined;
  /** Undefined without operations. */
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

export interface RecordContent {
  readonly endpoint: string;
  readonly messageId: string;
  readonly operations: readonly OutgoingOperation[];
  readonly storedAt: Date;
  readonly fingerprint?: Fingerprint | undefined;
  readonly response?: StoredResponse | undefined;
  readonly session?: SessionWrite | undefined;
  /** @default - it is an item of its own */
  readonly holder?: RecordHolder | undefined;
}

/**
 * A record without operations counts as dispatched. Operations are compressed only when that saves a write
 * unit; those that an item holds beside other things whenever that makes them smaller.
 *
 * @throws SagaboxError `TransactionLimit` for more operations than can be packed.
 */
export function outboxWrite(content: RecordContent): OutboxWrite {
  const { endpoint, operations } = content;
  if (operations.length === 0) return recordOf(content, undefined, undefined);
  const packed = pack(operations, content);
  const uncompressed = recordOf(content, packed, 's');
  const unitsOf = (write: OutboxWrite) => recordWriteUnits(endpoint, write);
  const units = content.holder ? undefined : unitsOf(uncompressed);
  if (units === 1) return uncompressed;
  const compressed = recordOf(content, compress(packed), 'sb');
  const isBetter = units === undefined ? isSmaller(compressed, uncompressed) : unitsOf(compressed) < units;
  return isBetter ? compressed : uncompressed;
}

/** Nobody knows yet how large the rest of the item will be: each byte may be the one that takes a unit more. */
function isSmaller(one: OutboxWrite, other: OutboxWrite): boolean {
  return bytesOf(one) < bytesOf(other);
}

function bytesOf({ packed, chunks }: OutboxWrite): number {
  return [packed ?? [], ...chunks].reduce((sum, { length }) => sum + length, 0);
}

/** For endpoints without an outbox: what is sent after the commit, and kept nowhere. */
export function unstored({ messageId, operations, storedAt }: RecordContent): OutboxRecord {
  return { messageId, dispatched: false, storedAt, operations, chunkCount: 0 };
}

/** @param stored the packed operations, in this encoding */
export function recordOf(
  { messageId, operations, storedAt, fingerprint, response, session, holder }: RecordContent,
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
    ...(holder && { holder }),
  };
}
