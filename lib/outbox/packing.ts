import { decompress } from '../dynamodb/compression.ts';
import { utf8Bytes } from '../dynamodb/item-size.ts';
import type { RecordIdentity } from '../dynamodb/keys.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { limits } from '../kernel/limits.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';
import { isCancellation, type OutgoingOperation } from '../messages/message.ts';
import { isGroupId } from '../messages/wire-format/group-id.ts';
import { decodedBytes, decodeOperations, encodeOperations } from './operations-encoding.ts';
import { isCompressed, type RecordEncoding } from './record-encoding.ts';

/** The most packed bytes in an item of 400 KB, with room for its key: more go to chunks, each an item. */
export const MAX_PACKED_ITEM_BYTES = 350 * 1024;

/** The most bytes before compression: a few damaged bytes must not fill the memory when they are read. */
export const MAX_PACKED_BYTES = 16 * 1024 * 1024;

export const MAX_CHUNKS = Math.ceil(MAX_PACKED_BYTES / MAX_PACKED_ITEM_BYTES);

/**
 * Packs all operations of one message into as few items as possible: DynamoDB rounds up every item by itself.
 * Values that derive from the record's identity are left out, and values that all operations share are stored
 * once.
 *
 * @throws SagaboxError `TransactionLimit` for more than {@link MAX_PACKED_BYTES}, packed or not.
 */
export function pack(operations: readonly OutgoingOperation[], identity: RecordIdentity): Uint8Array {
  const { common, own } = encodeOperations(operations, identity);
  // The bodies are written one by one: all of them may be more than one string can hold.
  const bodies = operations.map((operation) =>
    isCancellation(operation) ? '0' : JSON.stringify(operation.body),
  );
  const head = JSON.stringify(common).slice(0, -']'.length);
  const tail = own === undefined ? ']' : `,${JSON.stringify(own)}]`;
  const bytes = utf8Bytes(head) + ','.length + listBytes(bodies) + utf8Bytes(tail);
  assertPackable(decodedBytes(bytes, operations.length, common));
  return new TextEncoder().encode(`${head},[${bodies.join(',')}]${tail}`);
}

/**
 * @param identity the record that holds the bytes
 * @throws Error when the bytes are not what `pack` made, in this encoding.
 */
export function unpack(
  stored: Uint8Array,
  encoding: RecordEncoding,
  identity: RecordIdentity,
): OutgoingOperation[] {
  const packed = isCompressed(encoding) ? decompress(stored, MAX_PACKED_BYTES) : stored;
  const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(packed));
  const operations = decodeOperations(parsed, packed.byteLength, MAX_PACKED_BYTES, identity);
  if (!operations.every(isOutgoingOperation)) throw new Error('it holds no outgoing messages');
  return operations;
}

function listBytes(jsons: readonly string[]): number {
  const bracketsAndCommas = Math.max(2, jsons.length + 1);
  return jsons.reduce((total, json) => total + utf8Bytes(json), bracketsAndCommas);
}

/** @throws SagaboxError `TransactionLimit` for more than {@link MAX_PACKED_BYTES} */
export function assertPackable(bytes: number): void {
  if (bytes <= MAX_PACKED_BYTES) return;
  throw new SagaboxError('TransactionLimit', {
    limit: 'bytes of outgoing messages, before compression,',
    actual: bytes,
    maximum: MAX_PACKED_BYTES,
    remedy: 'send fewer or smaller messages from one handler, or keep large data elsewhere',
  });
}

/**
 * Returns the pieces that do not fit into the record: none for up to {@link MAX_PACKED_ITEM_BYTES}.
 *
 * @param besides bytes that the record holds besides
 */
export function chunksOf(packed: Uint8Array, besides = 0): Uint8Array[] {
  if (packed.byteLength + besides <= MAX_PACKED_ITEM_BYTES) return [];
  const count = Math.ceil(packed.byteLength / MAX_PACKED_ITEM_BYTES);
  const startOf = (index: number) => index * MAX_PACKED_ITEM_BYTES;
  return Array.from({ length: count }, (_, index) => packed.subarray(startOf(index), startOf(index + 1)));
}

export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(chunks);
}

/** Whether an operation is as handlers must send it: a service would refuse it after others were sent. */
function isOutgoingOperation(value: unknown): value is OutgoingOperation {
  if (!isJsonObject(value) || !isString(value.id) || value.id === '') return false;
  if ('cancels' in value) return isString(value.cancels);
  const {
    destination,
    type,
    headers,
    body,
    delaySeconds,
    dueAt,
    messageGroupId,
    format,
    hasCreationContext,
  } = value;
  return (
    isString(destination) &&
    isString(type) &&
    isJsonObject(headers) &&
    Object.values(headers).every(isString) &&
    body !== undefined &&
    (delaySeconds === undefined || isDelay(delaySeconds)) &&
    (dueAt === undefined || (isString(dueAt) && new Date(dueAt).toJSON() === dueAt)) &&
    (messageGroupId === undefined || isGroupId(messageGroupId)) &&
    (format === undefined || format === 'cloudevents') &&
    (hasCreationContext === undefined || hasCreationContext === true)
  );
}

function isDelay(seconds: unknown): boolean {
  return Number.isInteger(seconds) && Number(seconds) >= 0 && Number(seconds) <= limits.delaySeconds;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
