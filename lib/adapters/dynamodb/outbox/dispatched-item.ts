import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { OutboxRecord, OutboxWrite } from '../../../core/outbox/commit.ts';
import { itemSize } from '../../../core/storage/item-size.ts';
import { outboxRecordKey } from '../../../core/storage/keys.ts';
import { keyAttributes, SCHEMA_VERSION } from '../table.ts';
import { expiry, type Outbox } from './outbox-item.ts';

type Item = Record<string, AttributeValue>;

/** A record whose messages are sent: all that deduplication needs, and nothing of the messages. */
export function toDispatchedItem(outbox: Outbox, record: OutboxRecord, at: Date): Item {
  const { messageId, storedAt, operations, fingerprint } = record;
  return {
    dispatched: { BOOL: true },
    operationCount: { N: String(operations.length) },
    // They are deleted by then.
    chunkCount: { N: '0' },
    storedAt: { S: (Number.isNaN(storedAt.getTime()) ? at : storedAt).toISOString() },
    ...(fingerprint && { hash: { B: fingerprint } }),
    dispatchedAt: { S: at.toISOString() },
    [outbox.table.timeToLiveAttributeName]: expiry(outbox, at),
    schemaVersion: { N: String(SCHEMA_VERSION) },
    ...keyAttributes(outbox.table, outboxRecordKey(outbox.endpoint, messageId)),
  };
}

/** Of the item that the mark replaces, as far as it is known: a record that was read back does not tell its packed bytes. */
export function storedBytes(
  dispatchedItem: Item,
  record: OutboxRecord & Partial<Pick<OutboxWrite, 'packed'>>,
): number {
  return itemSize(dispatchedItem) + (record.packed?.byteLength ?? 0);
}
