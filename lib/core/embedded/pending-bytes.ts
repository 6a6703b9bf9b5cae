import type { RecordEncoding } from '../outbox/record-form.ts';

/** What is pending of one message, beside its id. */
export interface PendingOperations {
  readonly storedAt: Date;
  readonly encoding: RecordEncoding | undefined;
  readonly packed: Uint8Array;
}

const TIME_BYTES = 6;
const HEAD_BYTES = TIME_BYTES + 1;

/** Of an entry around its packed operations: its key, names, a UUID as its id, and the head. */
export const PENDING_ENTRY_BYTES = 12 + 6 + 18 + 4 + HEAD_BYTES;

/** Stored data: each keeps its place. */
const encodings: readonly (RecordEncoding | undefined)[] = [undefined, 's', 'br', 'sb'];

/**
 * In one value, as names of attributes would be charged with each message:
 *
 * ```text
 *  0                     6          7
 *  ├ epoch milliseconds ─┼ encoding ┼ packed operations …
 * ```
 */
export function pendingBytes({ storedAt, encoding, packed }: PendingOperations): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(storedAt.getTime(), 0, TIME_BYTES);
  head.writeUInt8(encodings.indexOf(encoding), TIME_BYTES);
  return Buffer.concat([head, packed]);
}

/** @throws Error for bytes that {@link pendingBytes} does not make */
export function readPending(bytes: Uint8Array): PendingOperations {
  const { buffer, byteOffset, byteLength } = bytes;
  const all = Buffer.from(buffer, byteOffset, byteLength);
  const code = byteLength < HEAD_BYTES ? undefined : all.readUInt8(TIME_BYTES);
  if (code === undefined || code >= encodings.length) throw new Error('what is pending is damaged');
  const storedAt = new Date(all.readUIntBE(0, TIME_BYTES));
  return { storedAt, encoding: encodings[code], packed: all.subarray(HEAD_BYTES) };
}
