import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import {
  type CreateHandlerOptions,
  createHandler,
  defineSaga,
  type FailureFacts,
  type FlowEvent,
  type Locking,
  recoverability,
  UnrecoverableError,
} from 'sagabox';
import { z } from 'zod';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults, sqsError } from '../support/faults.ts';
import { acknowledge, receiveMessages, receiveRecords, sendTo } from '../support/received-records.ts';
import { returnedIds } from '../support/returned-ids.ts';
import { modes } from './modes.ts';

let dynamoDB: DynamoDBClient;
let functionSqs: SQSClient;
let sqs: SQSClient;
let faults: ClientFaults;
let table: string;
let queueUrl: string;
let errorQueueUrl: string;
let handled: string[];
let locking: Locking;
let errors: { text: string; facts: Record<string, unknown> }[];

/** What each order has left to fail, by its id. */
const failuresLeft = new Map<string, number>();

beforeEach(async () => {
  [dynamoDB, functionSqs, sqs] = [dynamoDBClient(), sqsClient(), sqsClient()];
  faults = new ClientFaults(functionSqs);
  table = await createTable();
  queueUrl = await createQueue();
  errorQueueUrl = await createQueue();
  handled = [];
  failuresLeft.clear();
  errors = [];
  locking = { mode: 'optimistic' };
});

afterEach(() => void jest.useRealTimers());

const logger = {
  ...silentLogger,
  warn: (text: string, facts: Record<string, unknown>) => void errors.push({ text, facts }),
  error: (text: string, facts: Record<string, unknown>) => void errors.push({ text, facts }),
};

const orderSaga = defineSaga({
  name: 'Order',
  messages: { Placed: z.object({ orderId: z.string(), does: z.string() }) },
  correlate: { Placed: ({ orderId }) => orderId },
  startedBy: ['Placed'],
  initialState: () => ({ placed: 0 }),
  handlers: {
    async Placed({ body: { orderId, does }, id }, { saga }) {
      saga.state.placed += 1;
      if (does === 'bug') throw new TypeError('a bug');
      if (does === 'throw an answer') throw { code: 402, headers: { Authorization: 'Bearer hidden' } };
      if (does === 'give up') throw new UnrecoverableError('the card was stolen');
      if (does === 'meet another') await changeBehindItsBack(orderId);
      if (does === 'fail twice') failNow(orderId);
      if (does === 'go on for ever') await new Promise<void>(endInvocation);
      handled.push(id);
    },
  },
});

/** Its timers wait for `endInvocation`. */
function holdTimers(): void {
  const kept = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
  const others = ['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const;
  jest.useFakeTimers({ doNotFake: [...kept, ...others] });
}

function endInvocation(): void {
  jest.advanceTimersByTime(60_000);
  jest.useRealTimers();
}

function failNow(orderId: string): void {
  const left = failuresLeft.get(orderId) ?? 2;
  failuresLeft.set(orderId, left - 1);
  if (left > 0) throw new Error('not yet');
}

/** Another handler that is always faster. */
async function changeBehindItsBack(orderId: string): Promise<void> {
  await dynamoDB.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { PK: { S: `SAGA#Order#${orderId}` }, SK: { S: 'SAGA' } },
      UpdateExpression: 'ADD version :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    }),
  );
}

function orderHandler(options: CreateHandlerOptions = {}) {
  return createHandler(orderSaga, {
    throwOnFullBatchFailure: false,
    endpoint: 'orders',
    sagaTable: { tableName: table },
    outboxTable: { tableName: table },
    destinations: { orders: queueUrl },
    locking,
    errorQueueUrl,
    dynamoDBClient: dynamoDB,
    sqsClient: functionSqs,
    logger,
    ...options,
    recoverability: {
      immediateRetries: { maxRetries: 2, baseDelay: { milliseconds: 1 } },
      ...options.recoverability,
    },
  });
}

/** Delivers what waits in the queue, as an event source mapping does. */
async function deliver(
  options: CreateHandlerOptions = {},
): Promise<{ all: SQSRecord[]; returned: SQSRecord[] }> {
  const all = await receiveRecords(sqs, queueUrl);
  if (all.length === 0) return { all, returned: [] };
  const { batchItemFailures } = await orderHandler(options)({ Records: all });
  const failedIds = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  const returned = all.filter(({ messageId }) => failedIds.includes(messageId));
  await acknowledge(
    sqs,
    queueUrl,
    all.filter((record) => !returned.includes(record)),
  );
  return { all, returned };
}

const comesBackAtOnce = { recoverability: { delayedRetries: { baseDelay: { seconds: 0 } } } };

const ids = (records: readonly SQSRecord[]) =>
  records.map(({ messageAttributes }) => messageAttributes['Sagabox.MessageId']?.stringValue).sort();

const place = async (
  id: string,
  does = 'well',
  { orderId = id, ...message }: { orderId?: string; group?: string } = {},
) => await sendTo(sqs, queueUrl, { type: 'Placed', id, body: { orderId, does }, ...message });

async function errorQueue() {
  const messages = await receiveMessages(sqs, errorQueueUrl);
  return messages.map(({ Body, MessageAttributes = {}, Attributes }) => ({
    body: Body,
    id: MessageAttributes['Sagabox.MessageId']?.StringValue,
    type: MessageAttributes['Sagabox.MessageType']?.StringValue,
    failure: JSON.parse(MessageAttributes['Sagabox.Failure']?.StringValue ?? 'null') as FailureFacts,
    group: Attributes?.MessageGroupId,
  }));
}

/** The delays that were asked for, by receipt handle. */
function delays(): Map<string, number> {
  const entries = faults.requests
    .filter(({ operation }) => operation === 'ChangeMessageVisibilityBatch')
    .flatMap(({ input }) => input.Entries as { ReceiptHandle: string; VisibilityTimeout: number }[]);
  return new Map(entries.map(({ ReceiptHandle, VisibilityTimeout }) => [ReceiptHandle, VisibilityTimeout]));
}

describe.each(modes)('I2, I5: a batch of ten messages in $name mode', (mode) => {
  beforeEach(() => {
    locking = mode.locking;
  });

  it('of which one fails, one is invalid and one conflicts returns two, forwards one and handles seven', async () => {
    await place('first', 'well', { orderId: 'contended' });
    await deliver();
    for (let order = 1; order <= 7; order += 1) await place(`fine-${order}`);
    await place('buggy', 'bug');
    await place('contended', 'meet another');
    const invalidBody = '{"orderId":7}';
    await sendTo(sqs, queueUrl, { type: 'Placed', id: 'invalid', body: invalidBody });

    const { all, returned } = await deliver();

    expect(all).toHaveLength(10);
    expect(ids(returned)).toEqual(['buggy', 'contended']);
    expect(new Set(handled.filter((id) => id.startsWith('fine'))).size).toBe(7);
    expect(handled.filter((id) => id === 'contended')).toHaveLength(3);

    const [forwarded, ...others] = await errorQueue();
    expect(others).toEqual([]);
    expect(forwarded).toMatchObject({ body: invalidBody, id: 'invalid', type: 'Placed' });
    expect(forwarded?.failure).toEqual({
      endpoint: 'orders',
      queue: queueUrl,
      failedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      code: 'InvalidMessage',
      message: expect.stringContaining("Message 'invalid' of type 'Placed' is invalid"),
      stack: expect.stringContaining('SagaboxError'),
      receiveCount: 1,
    });

    expect([...delays().keys()].sort()).toEqual(returned.map(({ receiptHandle }) => receiptHandle).sort());
    for (const seconds of delays().values()) {
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(10);
    }
    expect(errors.map(({ facts }) => facts.code).sort()).toEqual([
      'InvalidMessage',
      'SagaConcurrency',
      'TypeError',
    ]);
  });
});

describe.each(modes)('I5: a message that fails in $name mode', (mode) => {
  beforeEach(() => {
    locking = mode.locking;
  });

  it('comes back after its delay rather than after the visibility timeout of its queue', async () => {
    await place('slow', 'fail twice');
    expect((await deliver(comesBackAtOnce)).returned).toHaveLength(1);
    expect((await deliver(comesBackAtOnce)).returned).toHaveLength(1);
    expect(await deliver(comesBackAtOnce)).toMatchObject({ all: [expect.anything()], returned: [] });
    expect(handled).toEqual(['slow']);
  });
});

describe('I5: a message that fails', () => {
  it('is in the error queue after its last delivery, and not in its own any more', async () => {
    await place('buggy', 'bug');
    const options = { ...comesBackAtOnce, maxReceiveCount: 3 };
    expect((await deliver(options)).returned).toHaveLength(1);
    expect((await deliver(options)).returned).toHaveLength(1);
    expect((await deliver(options)).returned).toHaveLength(0);
    expect((await deliver(options)).all).toHaveLength(0);
    expect(await errorQueue()).toMatchObject([
      { id: 'buggy', failure: { code: 'TypeError', message: 'a bug', receiveCount: 3 } },
    ]);
  });

  it('is forwarded again with the same id when the acknowledgement got lost', async () => {
    await place('stolen', 'give up');
    const records = await receiveRecords(sqs, queueUrl);
    for (let delivery = 0; delivery < 2; delivery += 1) {
      expect(await orderHandler()({ Records: records })).toEqual({ batchItemFailures: [] });
    }
    expect((await errorQueue()).map(({ id }) => id)).toEqual(['stolen', 'stolen']);
  });

  it('tells there what was thrown, also an object, without its secrets', async () => {
    await place('declined', 'throw an answer');
    await deliver({ maxReceiveCount: 1 });
    const message = '{"code":402,"headers":{"Authorization":"***"}}';
    expect(await errorQueue()).toMatchObject([{ id: 'declined', failure: { code: 'Unknown', message } }]);
    expect(JSON.stringify(errors)).not.toContain('hidden');
  });

  it('is returned to its queue when the error queue does not take it', async () => {
    await place('stolen', 'give up');
    faults.fail('SendMessage', sqsError('InvalidParameterValue'));
    const { returned } = await deliver();
    expect(ids(returned)).toEqual(['stolen']);
    expect(await errorQueue()).toEqual([]);
    expect(errors.map(({ facts }) => facts.code)).toEqual(['ForwardFailed', 'Unrecoverable']);
  });

  it('is returned to its queue when there is no error queue', async () => {
    await place('stolen', 'give up');
    const settings = { endpoint: 'orders', dynamoDBClient: dynamoDB, logger };
    const records = await receiveRecords(sqs, queueUrl);
    expect(await returnedIds(orderSaga, table, records, settings)).toHaveLength(1);
  });

  it('that says no type, or none that is known, is in the error queue with the id that SQS gave', async () => {
    const sqsId = await sendTo(sqs, queueUrl, { body: 'no JSON' });
    await sendTo(sqs, queueUrl, { type: 'Unheard', id: 'unheard', body: {} });
    expect((await deliver()).returned).toEqual([]);
    const forwarded = await errorQueue();
    expect(forwarded.map(({ id, failure }) => [id, failure.code])).toEqual([
      [sqsId, 'InvalidMessage'],
      ['unheard', 'UnknownMessageType'],
    ]);
    expect(forwarded[0]?.body).toBe('no JSON');
    expect(errors[0]?.facts).toMatchObject({
      messageId: sqsId,
      conversationId: sqsId,
      sqsMessageId: sqsId,
    });
  });

  it('that is foreign, with as many attributes as SQS takes, keeps them all', async () => {
    const attributes = {
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, index) => [
          `h${index}`,
          { DataType: 'String', StringValue: `${index}` },
        ]),
      ),
      packed: { DataType: 'Binary', BinaryValue: Buffer.from([1, 2, 255]) },
    };
    await sendTo(sqs, queueUrl, { id: 'foreign', body: '{}', attributes });
    expect((await deliver()).returned).toEqual([]);
    expect((await errorQueue())[0]).toMatchObject({
      id: 'foreign',
      failure: { attributes: { packed: { dataType: 'Binary', binaryValue: 'AQL/' } } },
    });
  });

  it.each([
    [0, 1, 'the error queue'],
    [1, 0, 'its own queue'],
  ])(
    'of 1 MiB less what its failure takes, and %i bytes, is forwarded %i times, and then in %s',
    async (over, forwardedCount) => {
      // Its id, and the failure header with neither stack nor message.
      const overhead =
        'Sagabox.MessageIdStringbig'.length +
        'Sagabox.FailureString'.length +
        JSON.stringify({
          endpoint: 'orders',
          queue: queueUrl,
          failedAt: new Date().toISOString(),
          code: 'UnknownMessageType',
          message: '',
          stack: '',
          receiveCount: 1,
        }).length;
      const body = `"${'x'.repeat(1024 * 1024 - overhead - 2 + over)}"`;
      await sendTo(sqs, queueUrl, { id: 'big', body });
      const { returned } = await deliver();
      const forwarded = await errorQueue();
      expect([forwarded.length, returned.length]).toEqual([forwardedCount, 1 - forwardedCount]);
      if (forwardedCount === 1) expect(forwarded[0]?.body === body).toBe(true);
    },
  );
});

describe('I6, I7: a handler that outlasts its invocation', () => {
  it.each<Locking>([{ mode: 'optimistic' }, { mode: 'pessimistic' }])(
    'is aborted before the end, and leaves nothing behind that holds up the next one: %j',
    async (locking) => {
      await place('slow', 'go on for ever', { orderId: '7' });
      const records = await receiveRecords(sqs, queueUrl);
      const context = { ...lambdaContext(), getRemainingTimeInMillis: () => 30_000 };
      holdTimers();
      const { batchItemFailures } = await orderHandler({ locking })({ Records: records }, context);
      expect(batchItemFailures).toHaveLength(1);
      expect(errors.map(({ facts }) => facts.code)).toContain('InvocationTimeout');

      const key = { PK: { S: 'SAGA#Order#7' }, SK: { S: 'SAGA' } };
      const { Item } = await dynamoDB.send(
        new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }),
      );
      expect(Item).toBeUndefined();
      await place('next', 'well', { orderId: '7' });
      expect((await deliver({ locking })).returned).toEqual([]);
      expect(handled).toEqual(['next']);
    },
  );
});

describe('I5: a policy of your own', () => {
  it('has what it ignores acknowledged', async () => {
    await place('buggy', 'bug');
    expect((await deliver({ recoverability: { policy: () => recoverability.ignore } })).returned).toEqual([]);
    expect(await errorQueue()).toEqual([]);
    expect(errors.map(({ text }) => text)).toEqual([expect.stringContaining('is ignored')]);
  });

  it('can delay the next delivery', async () => {
    await place('buggy', 'bug');
    await deliver({ recoverability: { policy: () => recoverability.retryIn({ seconds: 3600 }) } });
    expect([...delays().values()]).toEqual([3600]);
  });

  it('loses no message when it returns nonsense', async () => {
    await place('buggy', 'bug');
    const policy = () => 'retry' as never;
    expect(ids((await deliver({ recoverability: { policy } })).returned)).toEqual(['buggy']);
    expect(errors.map(({ facts }) => facts.code)).toEqual(['Configuration', 'TypeError']);
  });
});

describe('Behaviour: the log and the hooks', () => {
  it('tell each retry and what became of the message, with what tells the message from others', async () => {
    await place('contended');
    await deliver();
    await place('again', 'meet another', { orderId: 'contended' });
    const events: FlowEvent[] = [];
    const counted: string[] = [];
    await deliver({
      onEvent: (event) => void events.push(event),
      metrics: { addMetric: (name) => void counted.push(name) },
    });

    const facts = {
      endpoint: 'orders',
      messageId: 'again',
      messageType: 'Placed',
      conversationId: 'again',
      sagaName: 'Order',
      sagaId: 'contended',
    };
    const retries = events.filter(({ type }) => type === 'retry');
    expect(retries).toEqual([
      { ...facts, type: 'retry', attempts: 1, delayMs: expect.any(Number), error: expect.any(Error) },
      { ...facts, type: 'retry', attempts: 2, delayMs: expect.any(Number), error: expect.any(Error) },
    ]);
    expect(counted.filter((name) => name === 'MessageRetries')).toHaveLength(2);
    expect(errors.map((line) => line.facts)).toMatchObject([{ ...facts, code: 'SagaConcurrency' }]);
    expect(errors[0]?.facts.retryInSeconds).toEqual(expect.any(Number));
  });
});

describe('I5, I7: a message that there is no time to start', () => {
  const context = () => {
    let asked = 0;
    return { ...lambdaContext(), getRemainingTimeInMillis: () => (asked++ === 0 ? 30_000 : 1900) };
  };
  const send = async () => {
    const attributes = { 'Sagabox.ConversationId': { DataType: 'String', StringValue: 'talk' } };
    const body = { orderId: '7', does: 'well' };
    await sendTo(sqs, queueUrl, { type: 'Placed', id: 'late', body, attributes });
    return await receiveRecords(sqs, queueUrl);
  };

  it('is returned with a short delay, and the log tells which one it is', async () => {
    const { batchItemFailures } = await orderHandler()({ Records: await send() }, context());
    expect(batchItemFailures).toHaveLength(1);
    const [seconds] = [...delays().values()];
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(5);
    expect(errors.map(({ facts }) => facts)).toMatchObject([
      {
        endpoint: 'orders',
        messageId: 'late',
        messageType: 'Placed',
        conversationId: 'talk',
        code: 'InvocationTimeout',
        retryInSeconds: seconds,
      },
    ]);
  });

  it('is in the error queue when it is not delivered again', async () => {
    const handler = orderHandler({ maxReceiveCount: 1 });
    expect(await handler({ Records: await send() }, context())).toEqual({ batchItemFailures: [] });
    expect(await errorQueue()).toMatchObject([{ id: 'late', failure: { code: 'InvocationTimeout' } }]);
    expect(handled).toEqual([]);
  });
});

describe('Behaviour: the delays of failed messages', () => {
  it('are asked for once the batch is done, ten in a call', async () => {
    await place('buggy', 'bug');
    await deliver();
    expect(faults.operations).toEqual(['ChangeMessageVisibilityBatch']);
  });

  it('are logged when SQS does not accept them, and the records are returned all the same', async () => {
    await place('buggy', 'bug');
    faults.fail('ChangeMessageVisibilityBatch', sqsError('InvalidAddress'));
    expect(ids((await deliver()).returned)).toEqual(['buggy']);
    expect(errors.at(-1)).toMatchObject({
      text: expect.stringContaining('changes of visibility failed'),
      facts: { failed: 1 },
    });
  });

  it('are not asked for when the queue of the records is not known', async () => {
    await place('buggy', 'bug');
    await deliver({ destinations: {} });
    expect(faults.operations).toEqual([]);
    await place('buggier', 'bug');
    await deliver({ destinations: {}, queueUrl: 'https://queues.test/another' });
    expect(faults.operations).toEqual([]);
  });
});

describe('I5: a FIFO queue', () => {
  beforeEach(async () => {
    queueUrl = await createQueue({ FifoQueue: 'true' });
    errorQueueUrl = await createQueue({ FifoQueue: 'true' });
  });

  async function deliverAll(options: CreateHandlerOptions): Promise<void> {
    while ((await deliver(options)).all.length > 0);
  }

  it('keeps the order of a group through failures, and other groups go on', async () => {
    await place('a1', 'fail twice', { group: 'a' });
    await place('a2', 'well', { group: 'a' });
    await place('a3', 'well', { group: 'a' });
    await place('b1', 'well', { group: 'b' });
    await place('b2', 'well', { group: 'b' });
    await deliverAll(comesBackAtOnce);
    expect(handled.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(handled.filter((id) => id.startsWith('b'))).toEqual(['b1', 'b2']);
    expect(handled.indexOf('b2')).toBeLessThan(handled.indexOf('a2'));
  });

  it('goes on behind a message that went to the error queue, which keeps its group', async () => {
    await place('a1', 'give up', { group: 'a' });
    await place('a2', 'well', { group: 'a' });
    await deliverAll(comesBackAtOnce);
    expect(handled).toEqual(['a2']);
    expect(await errorQueue()).toMatchObject([
      { id: 'a1', group: 'a', failure: { messageGroupId: 'a', code: 'Unrecoverable' } },
    ]);
  });

  it('goes on behind a message at its last delivery that the error queue does not take', async () => {
    await place('a1', 'bug', { group: 'a' });
    const [first] = (await receiveRecords(sqs, queueUrl)) as [SQSRecord];
    const body = JSON.stringify({ orderId: 'a2', does: 'well' });
    const second = { ...first, messageId: 'a2', messageAttributes: { ...first.messageAttributes }, body };
    second.messageAttributes['Sagabox.MessageId'] = { dataType: 'String', stringValue: 'a2' };
    faults.fail('SendMessage', sqsError('InvalidParameterValue'));
    const { batchItemFailures } = await orderHandler({ maxReceiveCount: 1 })({ Records: [first, second] });
    expect(batchItemFailures).toEqual([{ itemIdentifier: first.messageId }]);
    expect(handled).toEqual(['a2']);
  });

  it('has a repeated forward only once', async () => {
    await place('a1', 'give up', { group: 'a' });
    const records = await receiveRecords(sqs, queueUrl);
    await orderHandler()({ Records: records });
    await orderHandler()({ Records: records });
    expect(await errorQueue()).toHaveLength(1);
  });

  it('lets a group come back together, in one call for at most ten', async () => {
    await place('a1', 'bug', { group: 'a' });
    const [first] = await receiveRecords(sqs, queueUrl);
    const behind = Array.from({ length: 10 }, (_, index) => ({
      ...(first as SQSRecord),
      messageId: `behind-${index}`,
      receiptHandle: `handle-${index}`,
    }));
    const { batchItemFailures } = await orderHandler()({ Records: [first as SQSRecord, ...behind] });
    expect(batchItemFailures).toHaveLength(11);
    expect(handled).toEqual([]);
    expect(delays().size).toBe(11);
    expect(new Set(delays().values()).size).toBe(1);
    expect(faults.requests.map(({ input }) => input.Entries.length)).toEqual([10, 1]);
  });
});

describe('Behaviour: a wrong setting', () => {
  it.each<[string, CreateHandlerOptions]>([
    ['errorQueueUrl', { errorQueueUrl: 'errors' }],
    ['queueUrl', { queueUrl: 'arn:of:nothing here' }],
    ['maxReceiveCount', { maxReceiveCount: 0 }],
    ['maxReceiveCount', { maxReceiveCount: 1.5 }],
    ['recoverability.policy', { recoverability: { policy: 'retry' as never } }],
    ['immediateRetries.maxRetries', { recoverability: { immediateRetries: { maxRetries: -1 } } }],
    ['delayedRetries.baseDelay', { recoverability: { delayedRetries: { baseDelay: { seconds: -1 } } } }],
    ['delayedRetries.maxDelay', { recoverability: { delayedRetries: { maxDelay: { seconds: 43_201 } } } }],
    ['timeMargins', { timeMargins: { start: { milliseconds: 999 } } }],
    ['timeMargins', { timeMargins: { giveUp: { milliseconds: 1001 } } }],
    ['timeMargins.giveUp', { timeMargins: { giveUp: { milliseconds: -1 } } }],
    ['timeMargins', { timeMargins: { start: { milliseconds: Number.NaN } } }],
  ])('is refused when the handler is made: %s, %j', (setting, options) => {
    expect(() => createHandler(orderSaga, options)).toThrow(
      expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(setting) }),
    );
  });

  it('is refused before anything runs: an error queue that is the own queue', async () => {
    await place('fine');
    const records = await receiveRecords(sqs, queueUrl);
    await expect(orderHandler({ errorQueueUrl: queueUrl })({ Records: records })).rejects.toMatchObject({
      code: 'Configuration',
    });
    expect(handled).toEqual([]);
  });
});
