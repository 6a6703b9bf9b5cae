import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { createHandler, defineSaga, type Locking, type MessageReport } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import { EMBEDDED_SCHEMA, keyAttributes } from '../../lib/dynamodb/item-attributes.ts';
import { sagaKey } from '../../lib/dynamodb/keys.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { epochSeconds } from '../../lib/kernel/epoch-seconds.ts';
import type { OutgoingOperation } from '../../lib/messages/message.ts';
import { pendingAttributes } from '../../lib/outbox/embedded/embedded-items.ts';
import { pack } from '../../lib/outbox/packing.ts';
import { outboxWrite, recordOf } from '../../lib/outbox/record.ts';
import { type OutboxTarget, toChunkItems, toRecordItem } from '../../lib/outbox/record-item.dynamodb.ts';
import type { SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';
import { compressState } from '../../lib/saga/item/compressed-state.ts';
import { sagaItem } from '../../lib/saga/item/write-saga-item.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { emptyInbox } from '../support/inboxes.ts';
import { outboxOfForm } from '../support/outbox-of-form.ts';
import { type Item, putItem } from '../support/raw-items.ts';
import { capturedSqs } from './captured-sqs.ts';
import type { AnyRecord } from './hostile-records.ts';

export const at = new Date('2026-01-02T03:04:05.678Z');
export const STORED_ENDPOINT = 'stored';

function outboxIn(tableName: string): OutboxTarget {
  const table = { ...tableDefaults, tableName };
  return { table, endpoint: STORED_ENDPOINT, deduplicationPeriodSeconds: 604_800 };
}

export function outgoing(number: number, size = 10): OutgoingOperation {
  return {
    id: `out-${number}`,
    destination: 'billing',
    type: 'Charge',
    body: { note: 'n'.repeat(size) },
    headers: { 'Sagabox.CausationId': 'm-1', tenant: 'a' },
  };
}

/** A record that waits for its dispatch, just as a commit writes it: the record, then its chunks. */
export function recordItems(tableName: string, messageId: string, operations: OutgoingOperation[]): Item[] {
  const outbox = outboxIn(tableName);
  const write = outboxWrite({ endpoint: STORED_ENDPOINT, messageId, operations, storedAt: at });
  return [toRecordItem(outbox, write, at), ...toChunkItems(outbox, write)];
}

/**
 * The same with its operations in chunks, smaller ones than those of a commit: no reader asks for their size.
 */
export function chunkedItems(
  tableName: string,
  messageId: string,
  operations: OutgoingOperation[],
  chunkCount: number,
): Item[] {
  const outbox = outboxIn(tableName);
  const packed = pack(operations, { endpoint: STORED_ENDPOINT, messageId });
  const bytes = Math.ceil(packed.byteLength / chunkCount);
  const chunks = Array.from({ length: chunkCount }, (_, index) =>
    packed.subarray(index * bytes, (index + 1) * bytes),
  );
  const content = { endpoint: STORED_ENDPOINT, messageId, operations, storedAt: at };
  const write = { ...recordOf(content, undefined, 's'), chunks, chunkCount };
  return [toRecordItem(outbox, write, at), ...toChunkItems(outbox, write)];
}

export function storedSagaItem(id: string, isCompressed: boolean): Item {
  const state: Item = { handled: { L: [{ S: 'earlier' }] } };
  const item = sagaItem(tableDefaults, {
    saga: { name: 'Stored', id },
    state,
    version: 3,
    commitId: 'commit-3',
    createdAt: at,
    updatedAt: at,
    timeouts: [{ id: 'timeout-1', type: 'PendingRequest', scheduled: true }],
  });
  if (!isCompressed) return item;
  return { ...item, state: { B: compressState(state) ?? new Uint8Array() }, encoding: { S: 'br' } };
}

/** Of a saga with an embedded outbox: one message was handled, and those of another one are to be sent. */
export function storedEmbeddedItem(id: string, handled: string, pending: string): Item {
  const expiresAt = new Date(Date.now() + 86_400_000);
  const messages = [handled, pending].map((message) => ({
    id: message,
    type: 'PendingRequest',
    hasRecord: false,
  }));
  const inbox = emptyInbox.with(messages, expiresAt);
  const write = outboxWrite({
    endpoint: STORED_ENDPOINT,
    messageId: pending,
    operations: [outgoing(1)],
    storedAt: at,
    sagaItem: { partition: '', key: '', isTombstone: false, pendingCount: 1 },
  });
  return {
    ...keyAttributes(tableDefaults, sagaKey({ name: 'Stored', id })),
    schemaVersion: { N: String(EMBEDDED_SCHEMA) },
    endpoint: { S: STORED_ENDPOINT },
    version: { N: '2' },
    commitId: { B: new Uint8Array(8).fill(7) },
    createdAt: { N: String(epochSeconds(at)) },
    updatedAt: { N: String(epochSeconds(at)) },
    state: { M: { handled: { L: [{ S: handled }, { S: pending }] } } },
    inbox: { B: inbox.bytes },
    pending: { M: pendingAttributes(inbox, [write]) },
  };
}

/** Keeps what is not as it left it. */
const storedSaga = (form: SagaOutboxForm) =>
  defineSaga({
    name: 'Stored',
    outbox: outboxOfForm(form),
    messages: { PendingRequest: z.object({ saga: z.string() }) },
    correlate: { PendingRequest: ({ saga }) => saga },
    startedBy: ['PendingRequest'],
    initialState: (): { handled: unknown } => ({ handled: [] }),
    handlers: {
      PendingRequest({ id }, { saga, send }) {
        const { handled } = saga.state;
        saga.state.handled = [...(Array.isArray(handled) ? handled : []), id];
        send('billing', 'Charge', { trace: id });
      },
    },
  });

export const asked = (id: string, saga: string): AnyRecord => ({
  ...sqsRecord({ type: 'PendingRequest', id, sqsMessageId: `sqs-${id}`, body: { saga } }),
});

/** An endpoint on a real table; each delivery in a function of its own. */
export function storedEndpoint(tableName: string, locking: Locking, outbox: SagaOutboxForm = 'records') {
  const client = dynamoDBClient();
  const calls = new ClientFaults(client);
  const itemAt = async (partition: string, sort: string): Promise<Item | undefined> => {
    const Key = { PK: { S: partition }, SK: { S: sort } };
    const command = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
    return (await client.send(command)).Item;
  };
  return {
    async deliver(records: readonly AnyRecord[]) {
      const sqs = capturedSqs();
      const reports: MessageReport[] = [];
      const callsBefore = calls.requests.length;
      const handler = createHandler(storedSaga(outbox), {
        throwOnFullBatchFailure: false,
        endpoint: STORED_ENDPOINT,
        locking,
        sagaTable: { tableName },
        outboxTable: { tableName },
        destinations: { billing: 'https://queues.test/billing' },
        dynamoDBClient: client,
        sqsClient: sqs.client,
        logger: { info: () => {}, warn: () => {}, error: () => {} },
        onMessage: (report) => void reports.push(report),
        recoverability: {
          immediateRetries: { maxRetries: 1, baseDelay: { milliseconds: 1 }, maxDelay: { milliseconds: 1 } },
        },
      });
      const { batchItemFailures } = await handler({ Records: records });
      sqs.client.destroy();
      return {
        returned: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
        reports,
        sent: sqs.batched,
        calls: calls.requests.length - callsBefore,
      };
    },
    record: async (messageId: string) => await itemAt(`OUTBOX#${STORED_ENDPOINT}#${messageId}`, 'RECORD'),
    /** All items of a record, its chunks too. */
    recordItems: async (messageId: string): Promise<Item[]> => {
      const command = new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'PK = :partition',
        ExpressionAttributeValues: { ':partition': { S: `OUTBOX#${STORED_ENDPOINT}#${messageId}` } },
        ConsistentRead: true,
      });
      return (await client.send(command)).Items ?? [];
    },
    saga: async (id: string) => await itemAt(`SAGA#Stored#${id}`, 'SAGA'),
    put: async (item: Item) => await putItem(client, tableName, item),
  };
}
