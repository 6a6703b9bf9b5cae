import { randomUUID } from 'node:crypto';
import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createQueue, sqsClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { sqsError } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { numberedMessages, outgoingMessage, wireMessageOfSize } from '../../support/outgoing-messages.ts';
import { watchedClient } from '../../support/watched-client.ts';
import { newDispatcher } from './new-dispatcher.ts';

const { client, faults } = watchedClient(sqsClient());
const otherClient = sqsClient();

let clock: MovingClock;
beforeEach(() => {
  clock = new MovingClock();
});

const dispatcherTo = (queueUrls: Record<string, string>) => newDispatcher(client, clock, queueUrls);

/** All messages of a queue, and nothing stays in it. */
async function receiveAll(queueUrl: string): Promise<Message[]> {
  const received: Message[] = [];
  for (;;) {
    const { Messages = [] } = await otherClient.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return received;
    received.push(...Messages);
  }
}

const idOf = (message: Message) => message.MessageAttributes?.['Sagabox.MessageId']?.StringValue;
const deduplicationIdOf = (entry: { MessageDeduplicationId?: string }) => entry.MessageDeduplicationId;
const idsOf = (messages: Message[]) => messages.map(idOf);

describe('dispatched messages', () => {
  it('arrive with their ids, types, headers and bodies', async () => {
    const billing = await createQueue();
    await dispatcherTo({ billing }).dispatch([
      outgoingMessage({ id: 'a', body: { text: 'żółw ünï', list: [] }, headers: { trace: 'ünï' } }),
      outgoingMessage({ id: 'b', type: 'RefundCard', body: null, headers: {} }),
    ]);
    const received = (await receiveAll(billing)).toSorted((x, y) =>
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
    expect(idsOf(await receiveAll(billing)).toSorted()).toEqual(['billing-0', 'billing-1']);
    expect(idsOf(await receiveAll(shipping))).toEqual(['shipping-0']);
    expect(await receiveAll(unused)).toEqual([]);
    expect(faults.operations).toEqual(['SendMessageBatch', 'SendMessageBatch']);
  });

  it('take no call when there are none', async () => {
    await dispatcherTo({}).dispatch([]);
    expect(faults.operations).toEqual([]);
  });

  it.each([
    [10, [10]],
    [11, [10, 1]],
  ])('take a call for each ten: %i in calls of %j', async (count, entries) => {
    const billing = await createQueue();
    await dispatcherTo({ billing }).dispatch(numberedMessages(count));
    expect(faults.requests.map(({ input }) => input.Entries.length)).toEqual(entries);
    expect(await receiveAll(billing)).toHaveLength(count);
  });

  it('of 1 MiB together are taken by SQS in one call', async () => {
    const billing = await createQueue();
    const half = (id: string) => wireMessageOfSize(512 * 1024, { id });
    await dispatcherTo({ billing }).dispatch([half('a'), half('b')]);
    expect(faults.operations).toHaveLength(1);
    expect(idsOf(await receiveAll(billing)).toSorted()).toEqual(['a', 'b']);
  });

  it('are delayed', async () => {
    const billing = await createQueue();
    await dispatcherTo({ billing }).dispatch([
      outgoingMessage({ id: 'later', delaySeconds: 900 }),
      outgoingMessage({ id: 'now', delaySeconds: 0 }),
    ]);
    expect(idsOf(await receiveAll(billing))).toEqual(['now']);
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

    const { Messages = [] } = await otherClient.send(
      new ReceiveMessageCommand({
        QueueUrl: billing,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    expect(Messages.length).toBeGreaterThan(0);
    expect(idsOf(Messages)).toEqual(messages.slice(0, Messages.length).map(({ id }) => id));
    expect(Messages[0]?.Attributes).toMatchObject({
      MessageGroupId: 'order-42',
      MessageDeduplicationId: 'billing-0',
    });
  });
});

describe('a dispatch', () => {
  it('to a queue that does not exist is DispatchRefused', async () => {
    const billing = (await createQueue()).replace(/[^/]+$/, `test-${randomUUID()}`);
    const error = await sagaboxErrorOf(dispatcherTo({ billing }).dispatch(numberedMessages(1)));
    expect(error.code).toBe('DispatchRefused');
    expect(error.retryable).toBe(false);
    expect(error.facts).toMatchObject({ destination: 'billing' });
    expect(error.cause).toHaveProperty('name', 'QueueDoesNotExist');
    expect(error.message).toContain('QueueDoesNotExist');
  });

  it('that SQS refuses as a whole is DispatchRefused, with its cause', async () => {
    const billing = await createQueue();
    const failure = sqsError('AccessDenied');
    faults.fail('SendMessageBatch', failure);
    const error = await sagaboxErrorOf(dispatcherTo({ billing }).dispatch(numberedMessages(1)));
    expect(error.code).toBe('DispatchRefused');
    expect(error.cause).toBe(failure);
  });

  it('to a destination that is not configured is Configuration, and names those that are', async () => {
    const error = await sagaboxErrorOf(
      dispatcherTo({ billing: await createQueue() }).dispatch(numberedMessages(1, 'shipping')),
    );
    expect(error.code).toBe('Configuration');
    expect(error.retryable).toBe(false);
    expect(error.message).toContain("destination 'shipping'");
    expect(error.message).toContain('known: billing');
    expect(faults.operations).toEqual([]);
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
    expect(idsOf(await receiveAll(billing))).toEqual(['billing-0']);
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
