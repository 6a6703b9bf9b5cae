import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { OutboxWrite } from '../core/commit.ts';
import { SagaboxError } from '../core/errors.ts';
import { outboxChunkKey, outboxRecordKey } from '../core/keys.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { unpack } from '../core/packing.ts';
import { keyAttributes, SCHEMA_VERSION, type Table } from './table.ts';

type Item = Record<string, AttributeValue>;

/** What a record item says, before its operations are read. */
export interface StoredRecord {
  readonly dispatched: boolean;
  readonly packed: Uint8Array | undefined;
  readonly operationCount: number;
  readonly chunkCount: number;
}

/** The outbox of one endpoint in one table. */
export interface Outbox {
  readonly table: Table;
  readonly endpoint: string;
  /** How long a record is kept, counted from its dispatch. */
  readonly timeToKeepDeduplicationDataSeconds: number;
}

export function toRecordItem(outbox: Outbox, write: OutboxWrite, at: Date): Item {
  return {
    ...keyAttributes(outbox.table, outboxRecordKey(outbox.endpoint, write.messageId)),
    dispatched: { BOOL: write.dispatched },
    ...(write.packed === undefined ? {} : { operations: { B: write.packed } }),
    operationCount: { N: String(write.operations.length) },
    chunkCount: { N: String(write.chunkCount) },
    storedAt: { S: at.toISOString() },
    ...(write.dispatched
      ? { dispatchedAt: { S: at.toISOString() }, [outbox.table.timeToLiveAttributeName]: expiry(outbox, at) }
      : {}),
    schemaVersion: { N: String(SCHEMA_VERSION) },
  };
}

export function toChunkItems(outbox: Outbox, write: OutboxWrite): Item[] {
  return write.chunks.map((chunk, index) => ({
    ...keyAttributes(outbox.table, outboxChunkKey(outbox.endpoint, write.messageId, index + 1)),
    operations: { B: chunk },
    schemaVersion: { N: String(SCHEMA_VERSION) },
  }));
}

/** The value of the time to live attribute: epoch seconds. */
export function expiry(outbox: Outbox, dispatchedAt: Date): AttributeValue.NMember {
  const expiresAt = Math.ceil(dispatchedAt.getTime() / 1000) + outbox.timeToKeepDeduplicationDataSeconds;
  return { N: String(expiresAt) };
}

/** @throws SagaboxError `UnreadableItem` for an item of another schema version. */
export function fromRecordItem(outbox: Outbox, messageId: string, item: Item): StoredRecord {
  const schemaVersion = item.schemaVersion?.N;
  const chunkCount = Number(item.chunkCount?.N);
  if (schemaVersion !== String(SCHEMA_VERSION)) {
    const detail = `schemaVersion is ${schemaVersion ?? 'missing'}, not ${SCHEMA_VERSION}`;
    throw new SagaboxError('UnreadableItem', { item: describe(outbox, messageId), detail });
  }
  if (!(chunkCount >= 0)) throw incompleteRecord(outbox, messageId, 'it has no chunkCount');
  return {
    dispatched: item.dispatched?.BOOL === true,
    packed: item.operations?.B,
    operationCount: Number(item.operationCount?.N),
    chunkCount,
  };
}

/** @throws SagaboxError `UnreadableItem` when the bytes are damaged, `IncompleteOutboxRecord` when messages are missing. */
export function unpackOperations(
  outbox: Outbox,
  messageId: string,
  packed: Uint8Array | undefined,
  expected: number,
): OutgoingMessage[] {
  if (packed === undefined) throw incompleteRecord(outbox, messageId, 'it has no operations');
  let operations: OutgoingMessage[];
  try {
    operations = unpack(packed);
  } catch (error) {
    const detail = `its operations are damaged: ${(error as Error).message}`;
    throw new SagaboxError('UnreadableItem', { item: describe(outbox, messageId), detail }, { cause: error });
  }
  if (operations.length === expected) return operations;
  throw incompleteRecord(outbox, messageId, `${operations.length} of ${expected} operations`);
}

export function incompleteRecord(
  { endpoint }: Outbox,
  messageId: string,
  detail: string,
): SagaboxError<'IncompleteOutboxRecord'> {
  return new SagaboxError('IncompleteOutboxRecord', { endpoint, messageId, detail });
}

function describe({ endpoint }: Outbox, messageId: string): string {
  return `The outbox record of message '${messageId}' at endpoint '${endpoint}'`;
}
