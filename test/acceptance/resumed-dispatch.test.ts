import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHandler, defineHandlers } from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults, disableSdkRetries, dynamoDBError, type Fault, sqsError } from '../support/faults.ts';
import { drain, record } from '../support/queue.ts';

const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
for (const client of Object.values(clients)) disableSdkRetries(client);
const dynamoDB = new ClientFaults(clients.dynamoDBClient);
const sqs = new ClientFaults(clients.sqsClient);

/** What each run of the handler sends; it runs again where nothing of it is kept. */
let contents: string[];
let queues: { billing: string; shipping: string };

beforeEach(async () => {
  dynamoDB.reset();
  sqs.reset();
  contents = ['first', 'second', 'third'];
  queues = { billing: await createQueue(), shipping: await createQueue() };
});

const handlers = defineHandlers({
  messages: { Ordered: z.object({}) },
  handlers: {
    Ordered(_message, { send }) {
      const text = contents.shift() ?? 'none';
      send('billing', 'Charge', { text });
      send('shipping', 'Ship', { text });
    },
  },
});

async function open(options: { outbox?: false } = {}) {
  return createHandler(handlers, {
    throwOnFullBatchFailure: false,
    ...clients,
    ...options,
    endpoint: 'orders',
    outboxTable: { tableName: await createTable() },
    destinations: queues,
    logger: silentLogger,
    recoverability: {
      immediateRetries: { maxRetries: 5, baseDelay: { milliseconds: 1 }, maxDelay: { milliseconds: 2 } },
    },
  });
}

const sends = () => sqs.operations.filter((operation) => operation === 'SendMessageBatch').length;
const arrivedAt = async (queueUrl: string) =>
  (await drain(clients.sqsClient, queueUrl)).map(({ body }) => body);
const returned = async (handler: Awaited<ReturnType<typeof open>>) =>
  (await handler({ Records: [record('Ordered', {}, 'm1')] })).batchItemFailures.length;

const throttleShipping: Fault = async ({ QueueUrl }, proceed) => {
  if (QueueUrl === queues.shipping) throw sqsError('RequestThrottled');
  return await proceed();
};

describe('I3: a message that is committed', () => {
  it('and whose mark is throttled at each attempt is sent once by that delivery', async () => {
    const handler = await open();
    dynamoDB.fail('BatchWriteItem', dynamoDBError('ThrottlingException'), 6);
    expect(await returned(handler)).toBe(1);
    expect([sends(), dynamoDB.pending]).toEqual([2, 0]);
    expect(await returned(handler)).toBe(0);
    // A next delivery does not know: nothing could be written.
    expect(sends()).toBe(4);
    expect(await returned(handler)).toBe(0);
    expect(sends()).toBe(4);
  });

  it('and of which one queue takes nothing is sent to that queue alone, also in the next delivery', async () => {
    const handler = await open();
    sqs.plan('SendMessageBatch', throttleShipping, 7);
    expect(await returned(handler)).toBe(1);
    // One to the good queue, and six attempts at the other.
    expect([sends(), sqs.pending]).toEqual([7, 0]);
    expect(await returned(handler)).toBe(0);
    expect(sends()).toBe(8);
    expect(await arrivedAt(queues.billing)).toEqual([{ text: 'first' }]);
    expect(await arrivedAt(queues.shipping)).toEqual([{ text: 'first' }]);
  });
});

describe('Behaviour: a message of a handler without an outbox', () => {
  it('is sent again as its handler ran last: nothing tells that it is the same', async () => {
    const handler = await open({ outbox: false });
    sqs.plan('SendMessageBatch', throttleShipping, 2);
    expect(await returned(handler)).toBe(0);
    expect(await arrivedAt(queues.billing)).toEqual([{ text: 'first' }, { text: 'second' }]);
    expect(await arrivedAt(queues.shipping)).toEqual([{ text: 'second' }]);
  });
});
