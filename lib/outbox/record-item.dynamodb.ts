import { type Item, keyAttributes, schemaProblem } from '../dynamodb/item-attributes.ts';
import { itemSize } from '../dynamodb/item-size.ts';
import { outboxRecordKey } from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { thrownMessage } from '../kernel/errors/thrown.ts';
import type { OutgoingOperation } from '../messages/message.ts';
import { MAX_CHUNKS, unpack } from './packing.ts';
import type { OutboxRecord, OutboxWrite } from './record.ts';
import { chunkItem, dispatchedItem, storedResponseOf, undispatchedItem } from './record-attributes.ts';
import { isRecordEncoding } from './record-encoding.ts';
import { bitmapBytes, type SentBitmap } from './sent-bitmap.ts';

/** The content of a record item, before its operations are read. */
export interface StoredRecord {
  readonly dispatched: boolean;
  readonly storedAt: Date;
  readonly fingerprint: OutboxRecord['fingerprint'];
  readonly packed: Uint8Array | undefined;
  /** The encoding of the operations, in the record itself or in its chunks. */
  readonly encoding: string | undefined;
  readonly operationCount: number;
  readonly chunkCount: number;
  readonly lease: OutboxRecord['lease'];
  readonly sent: SentBitmap | undefined;
  readonly response: OutboxRecord['response'];
}

/** The outbox of one endpoint in one table. */
export interface OutboxTarget {
  readonly table: Table;
  readonly endpoint: string;
  /** The time that a record is kept, counted from its dispatch. */
  readonly deduplicationPeriodSeconds: number;
}

/** Returns the table and the key of the record of a message. */
export function recordTarget(
  { table, endpoint }: Pick<OutboxTarget, 'table' | 'endpoint'>,
  messageId: string,
) {
  return { TableName: table.tableName, Key: keyAttributes(table, outboxRecordKey(endpoint, messageId)) };
}

export function toRecordItem(outbox: OutboxTarget, write: OutboxWrite, at: Date): Item {
  const { table, endpoint } = outbox;
  const fields = { ...write, endpoint, operationCount: write.operations.length };
  if (write.dispatched) return dispatchedItem(table, fields, at, expiry(outbox, at));
  return undispatchedItem(table, fields);
}

export function toChunkItems({ table, endpoint }: OutboxTarget, { messageId, chunks }: OutboxWrite): Item[] {
  return chunks.map((chunk, index) => chunkItem(table, { endpoint, messageId }, index + 1, chunk));
}

/** Returns the item of a dispatched record: all that deduplication needs, and nothing of the messages. */
export function toDispatchedItem(outbox: OutboxTarget, record: OutboxRecord, at: Date): Item {
  const { table, endpoint } = outbox;
  const { messageId, operations, fingerprint, response } = record;
  const storedAt = Number.isNaN(record.storedAt.getTime()) ? at : record.storedAt;
  const fields = { endpoint, messageId, operationCount: operations.length, storedAt, fingerprint, response };
  return dispatchedItem(table, fields, at, expiry(outbox, at));
}

/**
 * Returns the size of the item that the mark replaces, as far as it is known: a record that was read back has
 * no packed bytes.
 */
export function storedBytes(
  dispatched: Item,
  record: OutboxRecord & Partial<Pick<OutboxWrite, 'packed'>>,
): number {
  return itemSize(dispatched) + (record.packed?.byteLength ?? 0);
}

/** Returns the value of the time to live attribute: epoch seconds. */
function expiry({ deduplicationPeriodSeconds }: OutboxTarget, dispatchedAt: Date): number {
  return Math.ceil(dispatchedAt.getTime() / 1000) + deduplicationPeriodSeconds;
}

/** @throws SagaboxError `UnreadableItem` for an item of another schema version. */
export function fromRecordItem(outbox: OutboxTarget, messageId: string, item: Item): StoredRecord {
  const problem = schemaProblem(item);
  if (problem !== undefined) throw unreadable(outbox, messageId, problem);
  const chunkCount = Number(item.chunkCount?.N);
  if (!(chunkCount >= 0)) throw incompleteRecord(outbox, messageId, 'it has no chunkCount');
  if (!Number.isInteger(chunkCount) || chunkCount > MAX_CHUNKS) {
    throw incompleteRecord(outbox, messageId, `its chunkCount is ${chunkCount}, which no commit writes`);
  }
  return {
    dispatched: item.dispatched?.BOOL === true,
    storedAt: new Date(item.storedAt?.S ?? Number.NaN),
    fingerprint: item.hash?.B,
    packed: item.operations?.B,
    encoding: item.encoding?.S,
    operationCount: Number(item.operationCount?.N),
    chunkCount,
    lease: leaseOf(item),
    sent: sentOf(item),
    response: responseOf(outbox, messageId, item),
  };
}

/** Reads the response: a damaged one must not be taken for that of a handler that returned nothing. */
function responseOf(outbox: OutboxTarget, messageId: string, { response }: Item): OutboxRecord['response'] {
  const stored = response && storedResponseOf(response);
  if (response && !stored) throw unreadable(outbox, messageId, 'its response is damaged');
  return stored;
}

/** Reads the bitmap. One of a length that does not match is ignored: all operations are sent again. */
function sentOf({ sent, operationCount }: Item): SentBitmap | undefined {
  return sent?.B?.byteLength === bitmapBytes(Number(operationCount?.N)) ? sent.B : undefined;
}

function leaseOf({ lease }: Item): OutboxRecord['lease'] {
  const { until, postponed } = lease?.M ?? {};
  if (until?.N === undefined) return undefined;
  return { until: new Date(Number(until.N)), ...(postponed?.BOOL === true && { postponed: true }) };
}

/**
 * @param packed the bytes of the record itself, or of its chunks
 * @throws SagaboxError `UnreadableItem` when the bytes are damaged, `IncompleteOutboxRecord` when operations
 *   are missing.
 */
export function unpackOperations(
  outbox: OutboxTarget,
  messageId: string,
  packed: Uint8Array | undefined,
  { operationCount, encoding }: StoredRecord,
): OutgoingOperation[] {
  if (packed === undefined) throw incompleteRecord(outbox, messageId, 'it has no operations');
  if (!isRecordEncoding(encoding)) {
    const told = encoding === undefined ? 'missing' : `'${encoding}', which is not known`;
    throw unreadable(outbox, messageId, `the encoding of its operations is ${told}`);
  }
  let operations: OutgoingOperation[];
  try {
    operations = unpack(packed, encoding, { endpoint: outbox.endpoint, messageId });
  } catch (error) {
    throw unreadable(outbox, messageId, `its operations are damaged: ${thrownMessage(error)}`, error);
  }
  if (operations.length === operationCount) return operations;
  throw incompleteRecord(outbox, messageId, `${operations.length} of ${operationCount} operations`);
}

export function incompleteRecord(
  { endpoint }: OutboxTarget,
  messageId: string,
  detail: string,
): SagaboxError<'IncompleteOutboxRecord'> {
  return new SagaboxError('IncompleteOutboxRecord', { endpoint, messageId, detail });
}

function unreadable(
  { endpoint }: OutboxTarget,
  messageId: string,
  detail: string,
  cause?: unknown,
): SagaboxError {
  const item = `The outbox record of message '${messageId}' at endpoint '${endpoint}'`;
  return new SagaboxError('UnreadableItem', { item, detail }, { cause });
}
