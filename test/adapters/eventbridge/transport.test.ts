import { describe, expect, it } from '@jest/globals';
import { EventBridgeTransport } from '../../../lib/adapters/eventbridge/transport.ts';
import { readEnvelope } from '../../../lib/core/incoming/envelope.ts';
import { parseDestinations } from '../../../lib/core/outgoing/destination.ts';
import { eventBytes, eventSource } from '../../../lib/core/wire-format/event-detail.ts';
import { createQueue, eventBridgeClient, sqsClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { createEventBus, createRule } from '../../support/event-resources.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { numberedMessages, outgoingMessage } from '../../support/outgoing-messages.ts';
import { drain } from '../../support/queue.ts';
import { receiveRecords } from '../../support/received-records.ts';
import { itFailsAsTransportsDo } from '../../support/transport-failures.ts';
import { watchedClient } from '../../support/watched-client.ts';

const { client, faults } = watchedClient(eventBridgeClient());
const sqs = sqsClient();

const sentAt = '2026-01-02T03:04:05.678Z';

function open(destinations: ReturnType<typeof parseDestinations>, failure?: Error): EventBridgeTransport {
  const loadClient = async () => (failure === undefined ? client : Promise.reject(failure));
  return new EventBridgeTransport({ endpoint: 'orders', destinations, clock: new MovingClock(), loadClient });
}

const transportTo = (addresses: Record<string, string>) => open(parseDestinations(addresses, 'test'));

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

const entryCounts = () => faults.requests.map(({ input }) => input.Entries.length);

describe('events', () => {
  it('arrive as a reader without sagabox expects them', async () => {
    const { eventBusArn, queueUrl } = await busWithQueue();
    await transportTo({ events: eventBusArn }).dispatch([
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

  it.each(['plain', 'cloudevents'] as const)('are read back as they were: %s', async (format) => {
    const { eventBusArn, queueUrl } = await busWithQueue();
    const sent = event({
      id: 'a',
      headers: { 'Sagabox.CausationId': 'in-1', 'Sagabox.SentAt': sentAt, 'Sagabox.ReplyTo': 'orders' },
      ...(format === 'plain' ? {} : { format }),
    });
    await transportTo({ events: eventBusArn }).dispatch([sent]);
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
    await transportTo({ orders: orders.eventBusArn, others: others.eventBusArn }).dispatch([
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
    await transportTo({ events: eventBusArn }).dispatch([event({ headers })]);
    expect(faults.requests[0]?.input.Entries[0]).not.toHaveProperty('Time');
    expect(await drain(sqs, queueUrl)).toHaveLength(1);
  });

  it.each([
    [10, [10]],
    [11, [10, 1]],
  ])('take a call for each ten: %i in calls of %j', async (count, entries) => {
    const { eventBusArn, queueUrl } = await busWithQueue();
    await transportTo({ events: eventBusArn }).dispatch(numberedMessages(count, 'events'));
    expect(entryCounts()).toEqual(entries);
    expect(await drain(sqs, queueUrl)).toHaveLength(count);
  });

  it.each([
    ['of 1 MiB together go in one call', 0, [2]],
    ['of one byte more go in two', 1, [1, 1]],
  ])('%s', async (_name, more, entries) => {
    const half = 512 * 1024;
    const taken = { FailedEntryCount: 0, Entries: [{ EventId: '1' }, { EventId: '2' }] };
    for (const _call of entries) faults.answer('PutEvents', taken);
    const messages = [eventOfSize(half, 'a'), eventOfSize(half + more, 'b')];
    await transportTo({ events: await createEventBus() }).dispatch(messages);
    expect(entryCounts()).toEqual(entries);
  });
});

describe('a call of PutEvents', () => {
  itFailsAsTransportsDo({
    faults,
    open,
    operation: 'PutEvents',
    createTarget: createEventBus,
    addressOfAnotherKind: 'arn:aws:sns:us-east-1:000000000000:events',
    refusals: ['AccessDeniedException', 'ValidationException', 'ResourceNotFoundException'],
    passingErrors: ['ThrottlingException', 'InternalException'],
  });

  it('waits for every bus when one fails', async () => {
    const { eventBusArn, queueUrl } = await busWithQueue();
    const error = await sagaboxErrorOf(
      transportTo({ events: eventBusArn }).dispatch([event({ destination: 'lost' }), event({ id: 'a' })]),
    );
    expect(error.code).toBe('Configuration');
    expect(await drain(sqs, queueUrl)).toHaveLength(1);
  });
});
