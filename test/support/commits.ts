import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SagaIdentity } from '../../lib/dynamodb/keys.ts';
import { fingerprintOf } from '../../lib/messages/fingerprint.ts';
import type { OutgoingOperation } from '../../lib/messages/message.ts';
import type { Commit } from '../../lib/outbox/commit.ts';
import { pack } from '../../lib/outbox/packing.ts';
import { type OutboxWrite, outboxWrite as outboxWriteOf, recordOf } from '../../lib/outbox/record.ts';
import type { SagaItem } from '../../lib/saga/item/saga-item.ts';

export const at = new Date('2026-01-02T03:04:05.678Z');
/** Of the messages of these tests, which are all alike. */
export const fingerprint = fingerprintOf({ type: 'OrderPlaced', body: { orderId: '42' } });
export const orderSaga: SagaIdentity = { name: 'OrderSaga', id: '42' };

/** A commit that writes nothing but what is given. */
export function commitOf(parts: Partial<Commit>): Commit {
  return { saga: undefined, outbox: undefined, transactionItems: [], at, ...parts };
}

/** A record of the endpoint of these tests. Never compressed, so that a test can say how large it is to be. */
export function outboxWrite(messageId: string, operations: readonly OutgoingOperation[]): OutboxWrite {
  const content = { endpoint: 'orders', messageId, operations, storedAt: at, fingerprint };
  if (operations.length === 0) return recordOf(content, undefined, undefined);
  return recordOf(content, pack(operations, content), 's');
}

/**
 * Just as a handler of the endpoint of these tests would commit it: compressed when that makes it cheaper.
 */
export function outboxWriteAsCommitted(
  messageId: string,
  operations: readonly OutgoingOperation[],
): OutboxWrite {
  return outboxWriteOf({ endpoint: 'orders', messageId, operations, storedAt: at, fingerprint });
}

export function storedRecord(messageId: string, operations: readonly OutgoingOperation[] = []): Commit {
  return commitOf({ outbox: outboxWrite(messageId, operations) });
}

export function userPut(tableName: string, key: string): TransactWriteItem {
  return { Put: { TableName: tableName, Item: { PK: { S: key }, SK: { S: 'USER' } } } };
}

export function userPuts(tableName: string, count: number): TransactWriteItem[] {
  return Array.from({ length: count }, (_, index) => userPut(tableName, `USER#${index}`));
}

/** The item of a saga with outbox records, as it was read. */
export function sagaItem(item: Partial<SagaItem> = {}): SagaItem {
  return {
    schema: 'records',
    revision: { version: 3, commitId: 'c3' },
    isTombstone: false,
    pending: { size: 0 },
    updatedAt: at,
    ...item,
  };
}
