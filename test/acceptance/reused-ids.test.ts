import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreateHandlerOptions, defineSaga, type FailureFacts, type FlowEvent } from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults, sqsError } from '../support/faults.ts';
import { drain } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { receiveRecords, sendTo } from '../support/received-records.ts';
import { returnedIds } from '../support/returned-ids.ts';
import { modes } from './modes.ts';

// A producer that takes the order's id for the id of each message about it: the second type would be dropped
// as a duplicate of the first.

const order = z.object({ orderId: z.string(), attempt: z.number().default(0) });
const orderSaga = defineSaga({
  name: 'Order',
  messages: { Placed: order, Shipped: order },
  correlate: { Placed: (m) => m.orderId, Shipped: (m) => m.orderId },
  startedBy: ['Placed'],
  initialState: () => ({ placed: 0, shipped: 0 }),
  handlers: {
    Placed({ body }, { saga, send }) {
      saga.state.placed += 1;
      // What a handler makes of its body is not what arrived.
      body.attempt = 99;
      send('billing', 'Charge', { orderId: body.orderId });
    },
    Shipped(_message, { saga }) {
      saga.state.shipped += 1;
    },
  },
});

let dynamoDB: DynamoDBClient;
let functionSqs: SQSClient;
let sqs: SQSClient;
let sends: ClientFaults;
let table: string;
let [queueUrl, errorQueueUrl, billing] = ['', '', ''];
let warnings: string[];
let events: FlowEvent['type'][];
let metrics: string[];

beforeEach(async () => {
  [dynamoDB, functionSqs, sqs] = [dynamoDBClient(), sqsClient(), sqsClient()];
  sends = new ClientFaults(functionSqs);
  table = await createTable();
  [queueUrl, errorQueueUrl, billing] = await Promise.all([createQueue(), createQueue(), createQueue()]);
  [warnings, events, metrics] = [[], [], []];
});

/** Handles what waits in the queue. @returns how many messages were returned */
async function deliver(options: CreateHandlerOptions = {}): Promise<number> {
  const returned = await returnedIds(orderSaga, table, await receiveRecords(sqs, queueUrl), {
    endpoint: 'orders',
    destinations: { billing },
    dynamoDBClient: dynamoDB,
    sqsClient: functionSqs,
    logger: { ...silentLogger, warn: (text) => void warnings.push(text) },
    onEvent: ({ type }) => void events.push(type),
    metrics: { addMetric: (name) => void metrics.push(name) },
    recoverability: { immediateRetries: { maxRetries: 0 } },
    ...options,
  });
  return returned.length;
}

const send = (type: string, body: object = { orderId: '7' }) =>
  sendTo(sqs, queueUrl, { type, id: 'order-7', body });

async function record() {
  return (await allItems(dynamoDB, table)).find(({ SK }) => SK?.S === 'RECORD');
}

async function sagaState() {
  const saga = (await allItems(dynamoDB, table)).find(({ SK }) => SK?.S === 'SAGA');
  return saga?.state?.M;
}

describe.each(modes)('I2, I3, I5: the id of a handled message in $name mode', ({ locking }) => {
  it('makes a message of another type an error, which goes to the error queue at once', async () => {
    await send('Placed');
    expect(await deliver({ locking, errorQueueUrl })).toBe(0);
    const stored = await record();
    await send('Shipped');
    expect(await deliver({ locking, errorQueueUrl })).toBe(0);

    const [failed] = await receiveRecords(sqs, errorQueueUrl);
    const attributes = failed?.messageAttributes ?? {};
    const facts: FailureFacts = JSON.parse(attributes['Sagabox.Failure']?.stringValue ?? '');
    expect(facts).toMatchObject({ code: 'MessageIdReused', receiveCount: 1 });
    expect(facts.message).toContain(
      "Message 'order-7' of type 'Shipped' has the id of a message of another type",
    );
    expect(attributes['Sagabox.MessageType']?.stringValue).toBe('Shipped');
    expect(await record()).toEqual(stored);
    expect(await sagaState()).toEqual({ placed: { N: '1' }, shipped: { N: '0' } });
    expect((await drain(sqs, billing)).map(({ type }) => type)).toEqual(['Charge']);
  });

  it('makes a message of another type come back when there is no error queue', async () => {
    await send('Placed');
    await deliver({ locking });
    await send('Shipped');
    expect(await deliver({ locking })).toBe(1);
    expect(metrics).toEqual(expect.arrayContaining(['MessagesFailed', 'MessageIdsReused']));
  });

  it('keeps what waits in the outbox for its own message, not for one of another type', async () => {
    sends.fail('SendMessageBatch', sqsError('AccessDenied'));
    await send('Placed');
    expect(await deliver({ locking, errorQueueUrl })).toBe(1);
    sends.reset();
    const waiting = await record();
    expect(waiting?.dispatched?.BOOL).toBe(false);

    await send('Shipped');
    expect(await deliver({ locking, errorQueueUrl })).toBe(0);
    expect(await record()).toEqual(waiting);
    expect(await drain(sqs, billing)).toEqual([]);

    // Its copy.
    await send('Placed');
    expect(await deliver({ locking, errorQueueUrl })).toBe(0);
    expect((await record())?.dispatched?.BOOL).toBe(true);
    expect((await drain(sqs, billing)).map(({ type }) => type)).toEqual(['Charge']);
  });

  it('makes a message with another body a duplicate, with a warning and a metric', async () => {
    await send('Placed');
    await deliver({ locking });
    await send('Placed', { orderId: '7', attempt: 2 });
    expect(await deliver({ locking })).toBe(0);

    expect(await sagaState()).toMatchObject({ placed: { N: '1' } });
    expect(warnings).toEqual([expect.stringContaining('A duplicate has another body')]);
    expect(events).toEqual(['bodyMismatch']);
    expect(metrics.filter((name) => name !== 'MessageDuration')).toEqual([
      'MessagesHandled',
      'DuplicateBodyMismatches',
      'MessagesDuplicate',
    ]);
  });

  it('makes a copy of the message a duplicate, without a warning', async () => {
    await send('Placed', { orderId: '7', attempt: 1 });
    await deliver({ locking });
    await send('Placed', { attempt: 1, orderId: '7' });
    expect(await deliver({ locking })).toBe(0);
    expect([warnings, events]).toEqual([[], []]);
    expect(metrics).toContain('MessagesDuplicate');
  });

  it('is taken also when the message was discarded', async () => {
    await send('Shipped');
    expect(await deliver({ locking, errorQueueUrl })).toBe(0);
    await send('Placed');
    expect(await deliver({ locking, errorQueueUrl })).toBe(0);
    expect(
      (await receiveRecords(sqs, errorQueueUrl)).map(
        ({ messageAttributes: a }) => a['Sagabox.MessageType']?.stringValue,
      ),
    ).toEqual(['Placed']);
    expect(await sagaState()).toBeUndefined();
  });
});
