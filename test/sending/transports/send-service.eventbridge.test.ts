import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, it } from '@jest/globals';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { eventBytes, eventSource } from '../../../lib/messages/wire-format/event-detail.ts';
import { eventBridgeService } from '../../../lib/sending/transports/send-service.eventbridge.ts';
import { createQueue, eventBridgeClient, sqsClient } from '../../support/engines.ts';
import { codeOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { createEventBus, createRule } from '../../support/event-resources.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { drain } from '../../support/queue.ts';
import { receiveRecords } from '../../support/received-records.ts';
import { watchedClient } from '../../support/watched-client.ts';
import {
  type EntryAnswer,
  itLoadsItsClientWhenNeeded,
  itSendsAsTransportsDo,
  transportTo,
} from './transport-behaviour.ts';

const { client, faults } = watchedClient(eventBridgeClient());
const sqs = sqsClient();

const sentAt = '2026-01-02T03:04:05.678Z';

const service = eventBridgeService('orders', async () => client);
const buses = (addresses: Record<string, string>) => transportTo(service, addresses);

/** A bus, and a queue that gets the events of the pattern. */
async function busWithQueue(pattern: object = { source: ['sagabox.orders'] }) {
  const [eventBusArn, queueUrl] = await Promise.all([createEventBus(), createQueue()]);
  await createRule(eventBusArn, pattern, queueUrl);
  return { eventBusArn, queueUrl };
}

const event = (overrides = {}) => outgoingMessage({ destination: 'events', ...overrides });

/** An event that takes exactly so many bytes of EventBridge's limits. */
function eventOfSize(bytes: number, id: string) {
  const withText = (text: string) => event({ id, body: { text } });
  const overhead = eventBytes(withText(''), eventSource('orders'));
  return withText('x'.repeat(bytes - overhead));
}

const codes: Record<EntryAnswer, string | undefined> = {
  taken: undefined,
  passing: 'ThrottlingException',
  final: 'InvalidArgument',
};

/** One result for each entry: taken, or its error. */
function resultsWith(...entryCodes: readonly (string | undefined)[]): object {
  const Entries = entryCodes.map((ErrorCode) =>
    ErrorCode === undefined ? { EventId: 'event' } : { ErrorCode, ErrorMessage: 'Sorry' },
  );
  return { FailedEntryCount: entryCodes.filter(Boolean).length, Entries };
}

const messageIdIn = (detail = '') => JSON.parse(detail).sagabox['Sagabox.MessageId'];
const entryCounts = () => faults.requests.map(({ input }) => input.Entries.length);

describe('events', () => {
  it('arrive as a reader without sagabox expects them', async () => {
    const { eventBusArn, queueUrl } = await busWithQueue();
    await buses({ events: eventBusArn }).dispatch([
      event({ id: 'a', headers: { 'Sagabox.SentAt': sentAt, trace: 'ünï' } }),
    ]);
    const [record] = await receiveRecords(sqs, queueUrl);
    expect(JSON.parse(record?.body ?? '')).toMatchObject({
      source: 'sagabox.orders',
      'detail-type': 'ChargeCard',
      time: '2026-01-02T03:04:05Z',
      detail: { orderId: '42', sagabox: { 'Sagabox.MessageId': 'a', trace: 'ünï' } },
    });
    expect(faults.requests[0]?.input.Entries[0]).toMatchObject({ EventBusName: eventBusArn });
  });

  it('carry X-Ray’s header of their own, with the lineage that Lambda counts loops by', async () => {
    const { eventBusArn } = await busWithQueue();
    const lineage = 'Lineage=1:a87bd80c:3';
    const awsTraceHeader = `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;${lineage}`;
    faults.reset();
    const traced = { ...event({ id: 'a' }), awsTraceHeader };
    await buses({ events: eventBusArn }).dispatch([traced, event({ id: 'b' })]);
    const [first, second] = faults.requests.flatMap(({ input }) => input.Entries as PutEventsRequestEntry[]);
    expect(first?.TraceHeader).toBe(awsTraceHeader);
    expect(second).toBeDefined();
    expect(second).not.toHaveProperty('TraceHeader');
  });

  it.each(['plain', 'cloudevents'] as const)('are read back as they were: %s', async (format) => {
    const { eventBusArn, queueUrl } = await busWithQueue();
    const sent = event({
      id: 'a',
      headers: { 'Sagabox.CausationId': 'in-1', 'Sagabox.SentAt': sentAt, 'Sagabox.ReplyTo': 'orders' },
      ...(format === 'plain' ? {} : { format }),
    });
    await buses({ events: eventBusArn }).dispatch([sent]);
    const [record] = await receiveRecords(sqs, queueUrl);
    if (record === undefined) throw new Error('Nothing arrived');
    const read = readEnvelope(record);
    expect(read).toMatchObject({ id: 'a', type: sent.type, body: sent.body, sentAt: new Date(sentAt) });
    expect(read.headers['Sagabox.CausationId']).toBe('in-1');
  });

  it('are routed by the rules of their own bus', async () => {
    const [orders, others] = await Promise.all([
      busWithQueue({ 'detail-type': ['OrderPlaced'] }),
      busWithQueue({ 'detail-type': ['OrderPlaced'] }),
    ]);
    const headers = { 'Sagabox.ReplyTo': 'orders' };
    await buses({ orders: orders.eventBusArn, others: others.eventBusArn }).dispatch([
      event({ id: 'a', destination: 'orders', type: 'OrderPlaced', headers }),
      event({ id: 'b', destination: 'orders', type: 'OrderShipped', headers }),
      event({ id: 'c', destination: 'others', type: 'OrderPlaced', headers }),
    ]);
    const idsIn = async (queueUrl: string) =>
      (await receiveRecords(sqs, queueUrl)).map((record) => readEnvelope(record).id);
    expect(await idsIn(orders.queueUrl)).toEqual(['a']);
    expect(await idsIn(others.queueUrl)).toEqual(['c']);
  });

  it.each([
    ['none', {}],
    ['one that is no time', { 'Sagabox.SentAt': 'yesterday' }],
  ])('with %s get the time at which they arrive', async (_name, headers) => {
    const { eventBusArn, queueUrl } = await busWithQueue();
    await buses({ events: eventBusArn }).dispatch([event({ headers })]);
    expect(faults.requests[0]?.input.Entries[0]).not.toHaveProperty('Time');
    expect(await drain(sqs, queueUrl)).toHaveLength(1);
  });

  it.each([
    ['of 1 MiB together go in one call', 0, [2]],
    ['of one byte more go in two', 1, [1, 1]],
  ])('%s', async (_name, more, entries) => {
    const half = 512 * 1024;
    const taken = { FailedEntryCount: 0, Entries: [{ EventId: '1' }, { EventId: '2' }] };
    for (const _call of entries) faults.answer('PutEvents', taken);
    const messages = [eventOfSize(half, 'a'), eventOfSize(half + more, 'b')];
    await buses({ events: await createEventBus() }).dispatch(messages);
    expect(entryCounts()).toEqual(entries);
  });
});

describe('a call of PutEvents', () => {
  itSendsAsTransportsDo({
    faults,
    service,
    operation: 'PutEvents',
    createTarget: createEventBus,
    refusals: ['AccessDeniedException', 'ValidationException', 'ResourceNotFoundException'],
    passingErrors: ['ThrottlingException'],
    idsIn: ({ input }) => input.Entries.map(({ Detail }: PutEventsRequestEntry) => messageIdIn(Detail)),
    outputOf: (answers) => resultsWith(...answers.map((answer) => codes[answer])),
    details: { passing: 'ThrottlingException: Sorry', final: 'InvalidArgument: Sorry' },
  });
  itLoadsItsClientWhenNeeded(
    (loadClient) => eventBridgeService('orders', loadClient),
    'arn:aws:events:us-east-1:000000000000:event-bus/events',
  );

  it.each([
    ['ThrottlingException', 'DispatchFailed'],
    ['InternalFailure', 'DispatchFailed'],
    ['InternalException', 'DispatchFailed'],
    ['ServiceUnavailable', 'DispatchFailed'],
    ['AccessDeniedException', 'DispatchRefused'],
    ['InvalidArgument', 'DispatchRefused'],
    ['NotAuthorizedForSourceException', 'DispatchRefused'],
    ['SomethingNew', 'DispatchRefused'],
  ])('with an entry that fails by %s is %s', async (entryCode, code) => {
    for (let round = 1; round <= 4; round += 1) faults.answer('PutEvents', resultsWith(entryCode));
    expect(await codeOf(buses({ events: await createEventBus() }).dispatch([event()]))).toBe(code);
  });

  it('with an event without a type is refused by the engine itself', async () => {
    const error = await sagaboxErrorOf(
      buses({ events: await createEventBus() }).dispatch([event({ type: '' })]),
    );
    expect(error.code).toBe('DispatchRefused');
    expect(error.facts).toMatchObject({ failures: [expect.stringContaining('InvalidArgument')] });
  });
});
