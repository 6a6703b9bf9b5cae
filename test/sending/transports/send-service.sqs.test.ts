import { randomUUID } from 'node:crypto';
import type { Message } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { sqsService, toEntry } from '../../../lib/sending/transports/send-service.sqs.ts';
import { createQueue, sqsClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { numberedMessages, outgoingMessage } from '../../support/outgoing-messages.ts';
import { receiveAll, receiveMessages } from '../../support/received-records.ts';
import { watchedClient } from '../../support/watched-client.ts';
import { failedEntries, itSendsAsTransportsDo, transportTo } from './transport-behaviour.ts';

const { client, faults } = watchedClient(sqsClient());
const otherClient = sqsClient();

const dispatcherTo = (queueUrls: Record<string, string>) => transportTo(sqsService(client), queueUrls);

const idOf = (message: Pick<Message, 'MessageAttributes'>) =>
  message.MessageAttributes?.['Sagabox.MessageId']?.StringValue;
const deduplicationIdOf = (entry: { MessageDeduplicationId?: string }) => entry.MessageDeduplicationId;
const idsOf = (messages: Message[]) => messages.map(idOf);

describe('dispatched messages', () => {
  it('arrive with their ids, types, headers and bodies', async () => {
    const billing = await createQueue();
    await dispatcherTo({ billing }).dispatch([
      outgoingMessage({ id: 'a', body: { text: 'żółw ünï', list: [] }, headers: { trace: 'ünï' } }),
      outgoingMessage({ id: 'b', type: 'RefundCard', body: null, headers: {} }),
    ]);
    const received = (await receiveAll(otherClient, billing)).toSorted((x, y) =>
      String(idOf(x)).localeCompare(String(idOf(y))),
    );
    expect(received.map((message) => message.Body)).toEqual(['{"text":"żółw ünï","list":[]}', 'null']);
    expect(received.map((message) => message.MessageAttributes)).toEqual([
      {
        'Sagabox.MessageId': expect.objectContaining({ DataType: 'String', StringValue: 'a' }),
        'Sagabox.MessageType': expect.objectContaining({ DataType: 'String', StringValue: 'ChargeCard' }),
        trace: expect.objectContaining({ DataType: 'String', StringValue: 'ünï' }),
      },
      {
        'Sagabox.MessageId': expect.objectContaining({ StringValue: 'b' }),
        'Sagabox.MessageType': expect.objectContaining({ StringValue: 'RefundCard' }),
      },
    ]);
  });

  it('go to the queue of their destination, one call each, and nowhere else', async () => {
    const [billing, shipping, unused] = await Promise.all([createQueue(), createQueue(), createQueue()]);
    await dispatcherTo({ billing, shipping, unused }).dispatch([
      ...numberedMessages(2, 'billing'),
      ...numberedMessages(1, 'shipping'),
    ]);
    expect(idsOf(await receiveAll(otherClient, billing)).toSorted()).toEqual(['billing-0', 'billing-1']);
    expect(idsOf(await receiveAll(otherClient, shipping))).toEqual(['shipping-0']);
    expect(await receiveAll(otherClient, unused)).toEqual([]);
    expect(faults.operations).toEqual(['SendMessageBatch', 'SendMessageBatch']);
  });

  it('are delayed', async () => {
    const billing = await createQueue();
    await dispatcherTo({ billing }).dispatch([
      outgoingMessage({ id: 'later', delaySeconds: 900 }),
      outgoingMessage({ id: 'now', delaySeconds: 0 }),
    ]);
    expect(idsOf(await receiveAll(otherClient, billing))).toEqual(['now']);
  });

  it('are sent one after another to a FIFO queue that has several names', async () => {
    const queue = await createQueue({ FifoQueue: 'true' });
    const messages = numberedMessages(4).map((message, index) => ({
      ...message,
      destination: index % 2 === 0 ? 'billing' : 'self',
      messageGroupId: 'order-42',
    }));
    await dispatcherTo({ billing: queue, self: queue }).dispatch(messages);
    const sent = faults.requests.map(({ input }) => input.Entries.map(deduplicationIdOf));
    expect(sent).toEqual(messages.map(({ id }) => [id]));
  });

  it('arrive in their order and group in a FIFO queue, and once when they are dispatched twice', async () => {
    const billing = await createQueue({ FifoQueue: 'true' });
    const messages = numberedMessages(12).map((message) => ({ ...message, messageGroupId: 'order-42' }));
    await dispatcherTo({ billing }).dispatch(messages);
    await dispatcherTo({ billing }).dispatch(messages);

    const received = await receiveMessages(otherClient, billing);
    expect(received.length).toBeGreaterThan(0);
    expect(idsOf(received)).toEqual(messages.slice(0, received.length).map(({ id }) => id));
    expect(received[0]?.Attributes).toMatchObject({
      MessageGroupId: 'order-42',
      MessageDeduplicationId: 'billing-0',
    });
  });
});

describe('a dispatch', () => {
  itSendsAsTransportsDo({
    faults,
    service: sqsService(client),
    operation: 'SendMessageBatch',
    createTarget: createQueue,
    refusals: ['AccessDenied', 'KmsAccessDenied', 'InvalidMessageContents'],
    passingErrors: ['RequestThrottled', 'OverLimit'],
    idsIn: ({ input }) => input.Entries.map(idOf),
    outputOf: failedEntries,
    details: { passing: 'InternalError: Sorry', final: 'unknown: no message' },
  });

  it('to a queue that does not exist is DispatchRefused', async () => {
    const billing = (await createQueue()).replace(/[^/]+$/, `test-${randomUUID()}`);
    const error = await sagaboxErrorOf(dispatcherTo({ billing }).dispatch(numberedMessages(1)));
    expect(error.code).toBe('DispatchRefused');
    expect(error.facts).toMatchObject({ destination: 'billing' });
    expect(error.cause).toHaveProperty('name', 'QueueDoesNotExist');
    expect(error.message).toContain('QueueDoesNotExist');
  });

  it.each<[string, string[]]>([
    ['first', ['lost', 'billing']],
    ['last', ['billing', 'lost']],
  ])('waits for every destination when one fails: the %s one', async (_name, order) => {
    const billing = await createQueue();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    faults.plan('SendMessageBatch', async (_input, proceed) => {
      hold();
      await released;
      return proceed();
    });

    let ended = false;
    const dispatch = sagaboxErrorOf(
      dispatcherTo({ billing }).dispatch(order.flatMap((destination) => numberedMessages(1, destination))),
    ).finally(() => {
      ended = true;
    });
    await held;
    // Enough turns for a rejection to come through, if nothing waited for the other destination.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(ended).toBe(false);

    release();
    expect((await dispatch).code).toBe('Configuration');
    expect(idsOf(await receiveAll(otherClient, billing))).toEqual(['billing-0']);
  });

  it('sends to its destinations side by side', async () => {
    const [billing, shipping] = await Promise.all([createQueue(), createQueue()]);
    const bothAreSending = Promise.withResolvers<void>();
    let sending = 0;
    faults.plan(
      'SendMessageBatch',
      async (_input, proceed) => {
        sending += 1;
        if (sending === 2) bothAreSending.resolve();
        await bothAreSending.promise;
        return proceed();
      },
      2,
    );
    await dispatcherTo({ billing, shipping }).dispatch([
      ...numberedMessages(1, 'billing'),
      ...numberedMessages(1, 'shipping'),
    ]);
    expect(sending).toBe(2);
  });
});

const queue = {
  kind: 'queue',
  name: 'billing',
  queueUrl: 'https://sqs.test/1/billing',
  fifo: false,
} as const;
const fifoQueue = {
  kind: 'queue',
  name: 'billing',
  queueUrl: 'https://sqs.test/1/billing.fifo',
  fifo: true,
} as const;

describe('an entry', () => {
  it('has the body as JSON, and every header as an attribute with the id and the type', () => {
    const message = outgoingMessage({ headers: { trace: 'ünï', 'Sagabox.CausationId': 'in-1' } });
    expect(toEntry(message, queue, 3)).toEqual({
      Id: '3',
      MessageBody: '{"orderId":"42"}',
      MessageAttributes: {
        trace: { DataType: 'String', StringValue: 'ünï' },
        'Sagabox.CausationId': { DataType: 'String', StringValue: 'in-1' },
        'Sagabox.MessageId': { DataType: 'String', StringValue: 'out-1' },
        'Sagabox.MessageType': { DataType: 'String', StringValue: 'ChargeCard' },
      },
    });
  });

  it.each([
    [null, 'null'],
    ['', '""'],
    [[], '[]'],
    [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ])('has the body %j as JSON', (body, json) => {
    expect(toEntry(outgoingMessage({ body }), queue, 0).MessageBody).toBe(json);
  });

  it('takes its id and type from the message, whatever its headers say', () => {
    const headers = { 'Sagabox.MessageId': 'other', 'Sagabox.MessageType': 'Other' };
    const { MessageAttributes } = toEntry(outgoingMessage({ headers }), queue, 0);
    expect(MessageAttributes?.['Sagabox.MessageId']?.StringValue).toBe('out-1');
    expect(MessageAttributes?.['Sagabox.MessageType']?.StringValue).toBe('ChargeCard');
  });

  it.each([0, 900])('has a delay of %i seconds', (delaySeconds) => {
    expect(toEntry(outgoingMessage({ delaySeconds }), queue, 0)).toHaveProperty('DelaySeconds', delaySeconds);
  });

  it('has no delay of its own when none was asked for: that of the queue holds', () => {
    expect(toEntry(outgoingMessage(), queue, 0)).not.toHaveProperty('DelaySeconds');
  });

  it('is deduplicated by the message id in a FIFO queue, in its group', () => {
    const entry = toEntry(outgoingMessage({ messageGroupId: 'order-42' }), fifoQueue, 0);
    expect(entry).toMatchObject({ MessageGroupId: 'order-42', MessageDeduplicationId: 'out-1' });
  });

  it('has no deduplication id outside FIFO queues, which refuse it; a group is for fair queues', () => {
    const entry = toEntry(outgoingMessage({ messageGroupId: 'tenant-1' }), queue, 0);
    expect(entry).not.toHaveProperty('MessageDeduplicationId');
    expect(entry).toHaveProperty('MessageGroupId', 'tenant-1');
    expect(toEntry(outgoingMessage(), queue, 0)).not.toHaveProperty('MessageGroupId');
  });
});
