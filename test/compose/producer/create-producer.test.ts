import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import {
  createProducer,
  defineContract,
  type ProducerMessage,
  type ProducerOptions,
  type SagaboxError,
} from 'sagabox';
import * as v from 'valibot';
import { z } from 'zod';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { createQueue, eventBridgeClient, snsClient, sqsClient } from '../../support/engines.ts';
import { codeOf, refusalOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { createEventBus, createRule, createTopic, subscribeQueue } from '../../support/event-resources.ts';
import { receiveRecords } from '../../support/received-records.ts';
import { watchedClient } from '../../support/watched-client.ts';

const { client, faults } = watchedClient(sqsClient());
const reader = sqsClient();

const orders = defineContract('orders', {
  OrderPlaced: z.object({ orderId: z.string(), total: z.number() }),
  OrderCancelled: v.objectAsync({
    orderId: v.pipeAsync(
      v.string(),
      v.checkAsync(async (id) => id !== '13'),
    ),
  }),
});

const producerTo = (queueUrl: string | undefined, options: Partial<ProducerOptions> = {}) =>
  createProducer({ queueUrl, contract: orders, sqsClient: client, ...(options as object) });

const placed = (orderId: string) => ({ orderId, total: 10 });
const batchOf = (count: number, group?: string): ProducerMessage<typeof orders>[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'OrderPlaced',
    body: placed(String(index)),
    key: `${group}${index}`,
    ...(group !== undefined && { messageGroupId: group }),
  }));

const messageIn = (record: SQSRecord | undefined) => readEnvelope(record as SQSRecord);

describe('what a producer sends', () => {
  it('reaches an endpoint with its id, type, body and headers', async () => {
    const queueUrl = await createQueue();
    const producer = producerTo(queueUrl, { endpoint: 'web' });
    const id = await producer.send('OrderPlaced', placed('1'), { key: '1', headers: { tenant: 'a' } });
    const message = messageIn((await receiveRecords(reader, queueUrl))[0]);
    expect(message).toMatchObject({ id, type: 'OrderPlaced', body: placed('1') });
    expect(message.headers).toMatchObject({ tenant: 'a', 'Sagabox.ReplyTo': 'web' });
    expect(Date.parse(message.headers['Sagabox.SentAt'] ?? '')).not.toBeNaN();
  });

  it('has the same id for the same key and type, another one for others, and a new one without a key', async () => {
    const producer = producerTo(await createQueue());
    const body = { orderId: '1' };
    const ids = [
      await producer.send('OrderPlaced', placed('1'), { key: '1' }),
      await producer.send('OrderPlaced', placed('2'), { key: '1' }),
      await producer.send('OrderCancelled', body, { key: '1' }),
      await producer.send('OrderCancelled', body, { key: '2' }),
      await producer.send('OrderCancelled', body),
      await producer.send('OrderCancelled', body),
    ];
    // Released: a retry across a deployment is found by it.
    expect(ids[0]).toBe('ad051ec5-3498-87ba-9a89-793574f88b30');
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(5);
  });

  it('goes in as few calls as possible', async () => {
    const queueUrl = await createQueue();
    const ids = await producerTo(queueUrl).sendBatch(batchOf(11));
    expect(faults.requests.map(({ input }) => input.Entries.length)).toEqual([10, 1]);
    expect(new Set(ids).size).toBe(11);
    expect(await producerTo(queueUrl).sendBatch([])).toEqual([]);
  });

  it('can be delayed, and be a CloudEvent', async () => {
    const queueUrl = await createQueue();
    const producer = producerTo(queueUrl, { messageFormat: 'cloudevents' });
    await producer.send('OrderPlaced', placed('1'), { delay: { minutes: 15 } });
    const [entry] = faults.requests[0]?.input.Entries ?? [];
    expect(entry.DelaySeconds).toBe(900);
    expect(JSON.parse(entry.MessageBody)).toMatchObject({ specversion: '1.0', data: placed('1') });
  });

  it('has its group, and its id for deduplication, on a FIFO queue', async () => {
    const queueUrl = await createQueue({ FifoQueue: 'true' });
    const ids = await producerTo(queueUrl).sendBatch(batchOf(2, 'orders'));
    const entries = faults.requests.flatMap(({ input }) => input.Entries);
    expect(entries.map((entry) => [entry.MessageGroupId, entry.MessageDeduplicationId])).toEqual(
      ids.map((id) => ['orders', id]),
    );
    expect(await codeOf(producerTo(queueUrl).send('OrderPlaced', placed('1')))).toBe(
      'InvalidOutgoingMessage',
    );
  });

  it('goes to a topic', async () => {
    const [topicArn, queueUrl] = await Promise.all([createTopic({}), createQueue()]);
    await subscribeQueue(topicArn, queueUrl, { RawMessageDelivery: 'true' });
    const producer = createProducer({ topicArn, contract: orders, snsClient: snsClient() });
    const id = await producer.send('OrderPlaced', placed('1'), { key: '1' });
    expect(messageIn((await receiveRecords(reader, queueUrl))[0])).toMatchObject({
      id,
      type: 'OrderPlaced',
      body: placed('1'),
    });
  });

  it.each([
    [undefined, 'producer'],
    ['web', 'web'],
  ])('goes to an event bus, and is known by its id: from %s', async (endpoint, source) => {
    const [eventBus, queueUrl] = await Promise.all([createEventBus(), createQueue()]);
    await createRule(eventBus, { source: [`sagabox.${source}`] }, queueUrl);
    const producer = createProducer({
      eventBus,
      contract: orders,
      eventBridgeClient: eventBridgeClient(),
      ...(endpoint && { endpoint }),
    });
    const id = await producer.send('OrderPlaced', placed('1'), { key: '1' });
    expect(messageIn((await receiveRecords(reader, queueUrl))[0])).toMatchObject({
      id,
      type: 'OrderPlaced',
      body: placed('1'),
    });
  });
});

describe('a message that could not be sent', () => {
  it.each<[string, ProducerMessage, object, string]>([
    [
      'by its schema',
      { type: 'OrderPlaced', body: { orderId: '1' } },
      { issues: [expect.stringContaining('total: ')] },
      'total: ',
    ],
    [
      'by a schema that answers later',
      { type: 'OrderCancelled', body: { orderId: '13' } },
      { issues: [expect.any(String)] },
      'orderId: ',
    ],
    [
      'by its type',
      { type: 'OrderPlacd', body: {} },
      {},
      "the contract 'orders' has no such type (known: OrderPlaced, OrderCancelled)",
    ],
    [
      'by its key',
      { type: 'OrderPlaced', body: placed('1'), key: '' },
      {},
      "its 'key' is no string, or empty",
    ],
    [
      'by its size',
      { type: 'OrderPlaced', body: placed('x'.repeat(256 * 1024)) },
      {},
      "over the 262144 that 'orders' takes: store the data and send a reference to it, or give 'maxMessageSizeBytes'",
    ],
    [
      'by a delay',
      { type: 'OrderPlaced', body: placed('1'), delay: { seconds: 901 } },
      {},
      'over the 900 s of SQS, and a producer has no scheduler: send it when it is due',
    ],
    [
      'by an option',
      { type: 'OrderPlaced', body: placed('1'), group: 'a' } as never,
      {},
      "it has no option 'group'",
    ],
  ])('is refused %s, and nothing of its batch is sent', async (_by, wrong, facts, detail) => {
    const producer = createProducer({ queueUrl: await createQueue(), contract: orders, sqsClient: client });
    const messages = [...batchOf(2), wrong] as ProducerMessage<typeof orders>[];
    const error = await sagaboxErrorOf(producer.sendBatch(messages));
    expect(error.code).toBe('InvalidOutgoingMessage');
    expect(error.facts).toMatchObject({ destination: 'orders', index: 2, ...facts });
    expect(error.message).toContain("to 'orders', entry 2 of its batch, is refused: ");
    expect(error.message).toContain(detail);
    expect(faults.operations).toEqual([]);
  });

  it('is not looked at with validateOutgoing: false, nor without a contract', async () => {
    const queueUrl = await createQueue();
    const loose = { type: 'OrderPlaced', body: 1 } as never;
    await producerTo(queueUrl, { validateOutgoing: false }).sendBatch([loose]);
    await createProducer({ queueUrl, sqsClient: client }).send('AnyType', 'any body');
    expect(faults.operations).toHaveLength(2);
  });

  it('of a larger queue is taken', async () => {
    const queueUrl = await createQueue();
    const producer = producerTo(queueUrl, { maxMessageSizeBytes: 1024 * 1024 });
    await expect(producer.send('OrderPlaced', placed('x'.repeat(256 * 1024)))).resolves.toEqual(
      expect.any(String),
    );
  });
});

describe('a refusal of the service', () => {
  const entry = (index: number, SenderFault: boolean) => ({
    Id: String(index),
    Code: SenderFault ? 'InvalidMessageContents' : 'InternalError',
    Message: 'Sorry',
    SenderFault,
  });

  it('of some entries names each of them, and the others are sent', async () => {
    const queueUrl = await createQueue();
    faults.answer('SendMessageBatch', { Successful: [], Failed: [entry(1, true), entry(3, true)] });
    const messages = batchOf(5);
    const error = await sagaboxErrorOf(producerTo(queueUrl).sendBatch(messages));
    const ids = await producerTo(queueUrl).sendBatch(messages);
    expect(error.code).toBe('MessagesRefused');
    expect(error.facts).toEqual({
      destination: 'orders',
      sent: 3,
      entries: [1, 3].map((index) => ({
        index,
        id: ids[index],
        reason: 'InvalidMessageContents: Sorry',
        retryable: false,
      })),
    });
    expect(error.message).toContain(`2 of 5 messages were not taken by 'orders' (entry 1, '${ids[1]}': Inv`);
  });

  it('that passes is no error: the entry is sent again, with its id', async () => {
    faults.answer('SendMessageBatch', { Successful: [], Failed: [entry(0, false)] });
    const id = await producerTo(await createQueue()).send('OrderPlaced', placed('1'));
    const sent = faults.requests.map(({ input }) => input.Entries[0].MessageAttributes['Sagabox.MessageId']);
    expect(sent.map(({ StringValue }) => StringValue)).toEqual([id, id]);
  });

  it('of the queue is that of all entries', async () => {
    const queueUrl = `${await createQueue()}-gone`;
    const { code, facts, retryable } = await sagaboxErrorOf(producerTo(queueUrl).sendBatch(batchOf(2)));
    expect([code, retryable]).toEqual(['MessagesRefused', false]);
    expect(facts).toMatchObject({
      sent: 0,
      entries: [
        { index: 0, reason: expect.stringContaining('QueueDoesNotExist'), retryable: false },
        { index: 1, reason: expect.stringContaining('QueueDoesNotExist'), retryable: false },
      ],
    });
  });

  it('of a call without an answer leaves entries that are retryable', async () => {
    faults.fail('SendMessageBatch', Object.assign(new Error('too slow'), { name: 'TimeoutError' }));
    const error = await sagaboxErrorOf(producerTo(await createQueue()).sendBatch(batchOf(2)));
    expect(error.retryable).toBe(true);
    expect(error.facts).toMatchObject({
      sent: 0,
      entries: [
        { index: 0, reason: 'TimeoutError: too slow', retryable: true },
        { index: 1, reason: 'TimeoutError: too slow', retryable: true },
      ],
    });
  });

  it('is told for each entry that was refused, also when another call fails', async () => {
    faults.answer('SendMessageBatch', { Successful: [], Failed: [entry(0, true)] });
    faults.fail('SendMessageBatch', Object.assign(new Error('too slow'), { name: 'TimeoutError' }));
    const error = await sagaboxErrorOf(producerTo(await createQueue()).sendBatch(batchOf(12)));
    const { entries } = (error as SagaboxError<'MessagesNotSent'>).facts;
    expect(entries.find(({ index }) => index === 0)).toMatchObject({ retryable: false });
    expect(entries.find(({ index }) => index === 11)).toMatchObject({
      reason: 'TimeoutError: too slow',
      retryable: true,
    });
  });

  it.each([
    ['null', [null], 0],
    ['a string', [...batchOf(1), 'OrderPlaced'], 1],
    ['no array', {}, undefined],
  ])('comes before any call for an entry that is %s', async (_case, messages, index) => {
    const error = await sagaboxErrorOf(producerTo(await createQueue()).sendBatch(messages as never));
    expect([error.code, faults.requests]).toEqual(['InvalidOutgoingMessage', []]);
    expect((error as SagaboxError<'InvalidOutgoingMessage'>).facts.index).toBe(index);
  });

  it('comes before any call for two entries with one key and type', async () => {
    const twice = [...batchOf(1), ...batchOf(1)];
    const error = await sagaboxErrorOf(producerTo(await createQueue()).sendBatch(twice));
    expect([error.code, faults.requests]).toEqual(['InvalidOutgoingMessage', []]);
  });

  it('holds up the messages behind it in its group, and no other group', async () => {
    const queueUrl = await createQueue({ FifoQueue: 'true' });
    faults.answer('SendMessageBatch', { Successful: [], Failed: [entry(0, true)] });
    const messages = [...batchOf(2, 'a'), ...batchOf(2, 'b')];
    const { facts } = await sagaboxErrorOf(producerTo(queueUrl).sendBatch(messages));
    expect(facts).toMatchObject({
      sent: 2,
      entries: [
        { index: 0, reason: 'InvalidMessageContents: Sorry', retryable: false },
        { index: 1, reason: 'a message before it in its group was not taken', retryable: true },
      ],
    });
  });
});

describe('options', () => {
  it.each<[string, object, string, string]>([
    ['no address', {}, 'createProducer', 'it is given no address'],
    [
      'two addresses',
      { queueUrl: 'https://q', eventBus: 'b' },
      'createProducer',
      'it is given queueUrl and eventBus',
    ],
    ['no URL', { queueUrl: 'orders' }, 'createProducer: queueUrl', 'orders'],
    ['an address of another kind', { topicArn: 'https://queues.test/orders' }, 'topicArn', 'queues.test'],
    [
      'no contract',
      { queueUrl: 'https://q.test/a', contract: {} },
      'contract',
      'it is not what defineContract returns',
    ],
    ['an unknown option', { queueUrl: 'https://q.test/a', queue: 1 }, 'queue', 'there is no such setting'],
    [
      'a maximum size for a bus',
      { eventBus: 'orders', maxMessageSizeBytes: 5 },
      'maxMessageSizeBytes',
      'one maximum size',
    ],
    ['an unknown format', { queueUrl: 'https://q.test/a', messageFormat: 'xml' }, 'messageFormat', 'xml'],
    ['an endpoint that is no name', { queueUrl: 'https://q.test/a', endpoint: 'a#b' }, 'endpoint', 'a#b'],
  ])('with %s are refused', (_case, options, setting, problem) => {
    const { code, facts } = refusalOf(() => createProducer(options as ProducerOptions));
    expect(code).toBe('Configuration');
    expect(facts).toMatchObject({
      setting: expect.stringContaining(setting),
      problem: expect.stringContaining(problem),
    });
  });

  it('may lack what the environment does not have, until a message is sent', async () => {
    const producer = producerTo(process.env.NOT_SET_IN_TESTS);
    expect(await codeOf(producer.send('OrderPlaced', placed('1')))).toBe('Configuration');
  });
});
