import type { RecordEncoding } from '../record-encoding.ts';

/** The pending operations of one message, without its id. */
export interface PendingOperations {
  readonly storedAt: Date;
  readonly encoding: RecordEncoding;
  readonly packed: Uint8Array;
}

const TIME_BYTES = 6;
const HEAD_BYTES = TIME_BYTES + 1;

/** The bytes of an entry around its packed operations: its key, names, a UUID as its id, and the head. */
export const PENDING_ENTRY_BYTES = 12 + 6 + 18 + 4 + HEAD_BYTES;

/** The codes of encodings, which are stored and never change. */
const codes = { s: 1, sb: 3 } as const satisfies Record<RecordEncoding, number>;
const encodings: ReadonlyMap<number, RecordEncoding> = new Map(
  Object.entries(codes).map(([encoding, code]) => [code, encoding as RecordEncoding]),
);

/**
 * Returns operations in one value, as names of attributes would be charged with each message:
 *
 * ```text
 *  0                     6          7
 *  ├ epoch milliseconds ─┼ encoding ┼ packed operations …
 * ```
 */
export function pendingBytes({ storedAt, encoding, packed }: PendingOperations): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(storedAt.getTime(), 0, TIME_BYTES);
  head.writeUInt8(codes[encoding], TIME_BYTES);
  return Buffer.concat([head, packed]);
}

/** @throws Error for bytes that {@link pendingBytes} does not make */
export function readPending(bytes: Uint8Array): PendingOperations {
  const { buffer, byteOffset, byteLength } = bytes;
  const all = Buffer.from(buffer, byteOffset, byteLength);
  const encoding = byteLength < HEAD_BYTES ? undefined : encodings.get(all.readUInt8(TIME_BYTES));
  if (encoding === undefined) throw new Error('what is pending is damaged');
  const storedAt = new Date(all.readUIntBE(0, TIME_BYTES));
  return { storedAt, encoding, packed: all.subarray(HEAD_BYTES) };
}
