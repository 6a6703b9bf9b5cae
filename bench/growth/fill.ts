import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { settleAll } from '../../lib/kernel/async/settle.ts';
import { limits } from '../../lib/kernel/limits.ts';
import { fingerprintOf } from '../../lib/messages/fingerprint.ts';
import type { OutboxRecord } from '../../lib/outbox/record.ts';
import { type OutboxTarget, toDispatchedItem } from '../../lib/outbox/record-item.dynamodb.ts';
import { endpoint } from '../orders/order-messages.ts';

/** Requests in flight: more of them make no local engine faster. */
const requests = 4;
const deduplicationPeriodSeconds = 7 * 24 * 3600;

/**
 * Puts so many records of messages that were handled and dispatched, just as sagabox leaves them.
 *
 * @param onPut called with the number of those that are there
 */
export async function fill(
  client: DynamoDBClient,
  tableName: string,
  records: number,
  signal: AbortSignal,
  onPut: (records: number) => void = () => {},
): Promise<void> {
  const table = { ...tableDefaults, tableName };
  const outbox: OutboxTarget = { table, endpoint, deduplicationPeriodSeconds };
  let left = records;
  let done = 0;
  const work = async () => {
    while (left > 0) {
      signal.throwIfAborted();
      const size = Math.min(left, limits.batchWriteItems);
      left -= size;
      const batch = Array.from({ length: size }, () => dispatchedRecord(outbox));
      await put(client, tableName, batch);
      done += size;
      onPut(done);
    }
  };
  // None may go on in a table that is deleted by then.
  await settleAll(Array.from({ length: requests }, work));
}

async function put(client: DynamoDBClient, tableName: string, records: WriteRequest[]): Promise<void> {
  for (let pending = records; pending.length > 0; ) {
    const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: pending } });
    pending = (await client.send(command)).UnprocessedItems?.[tableName] ?? [];
  }
}

/** Of a message that sent one, which the mark has taken out of it. */
function dispatchedRecord(outbox: OutboxTarget): WriteRequest {
  const at = new Date();
  const messageId = crypto.randomUUID();
  const record: OutboxRecord = {
    messageId,
    dispatched: true,
    storedAt: at,
    fingerprint: fingerprintOf({ type: 'OrderPacked', body: { messageId } }),
    operations: [{} as OutboxRecord['operations'][number]],
    chunkCount: 0,
  };
  return { PutRequest: { Item: toDispatchedItem(outbox, record, at) } };
}
