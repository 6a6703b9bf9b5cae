import type { Message } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { snsService } from '../../../lib/sending/transports/send-service.sns.ts';
import { createQueue, snsClient, sqsClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { createTopic, subscribeQueue } from '../../support/event-resources.ts';
import { numberedMessages, outgoingMessage, wireMessageOfSize } from '../../support/outgoing-messages.ts';
import { receiveAll, receiveMessages, receiveRecords } from '../../support/received-records.ts';
import { watchedClient } from '../../support/watched-client.ts';
import {
  failedEntries,
  itLoadsItsClientWhenNeeded,
  itSendsAsTransportsDo,
  transportTo,
} from './transport-behaviour.ts';

const { client, faults } = watchedClient(snsClient());
const sqs = sqsClient();

const service = snsService(async () => client);
const topics = (addresses: Record<string, string>) => transportTo(service, addresses);

/** A topic and a queue that gets its messages raw. */
async function topicWithQueue(
  fifo = false,
  subscription: Record<string, string> = { RawMessageDelivery: 'true' },
) {
  const [topicArn, queueUrl] = await Promise.all([
    createTopic(fifo ? { FifoTopic: 'true' } : {}),
    createQueue(fifo ? { FifoQueue: 'true' } : {}),
  ]);
  await subscribeQueue(topicArn, queueUrl, subscription);
  return { topicArn, queueUrl };
}

const idOf = (message: Pick<Message, 'MessageAttributes'>) =>
  message.MessageAttributes?.['Sagabox.MessageId']?.StringValue ?? '';

describe('published messages', () => {
  it('arrive with their ids, types, headers and bodies', async () => {
    const { topicArn, queueUrl } = await topicWithQueue();
    await topics({ events: topicArn }).dispatch([
      outgoingMessage({
        id: 'a',
        destination: 'events',
        body: { text: 'żółw ünï', list: [] },
        headers: { trace: 'ünï' },
      }),
    ]);
    const [message] = await receiveAll(sqs, queueUrl);
    expect(message?.Body).toBe('{"text":"żółw ünï","list":[]}');
    expect(message?.MessageAttributes).toEqual({
      'Sagabox.MessageId': expect.objectContaining({ DataType: 'String', StringValue: 'a' }),
      'Sagabox.MessageType': expect.objectContaining({ DataType: 'String', StringValue: 'ChargeCard' }),
      trace: expect.objectContaining({ DataType: 'String', StringValue: 'ünï' }),
    });
  });

  it.each([
    ['raw', 'plain', { RawMessageDelivery: 'true' }],
    ['wrapped', 'plain', {}],
    ['raw', 'cloudevents', { RawMessageDelivery: 'true' }],
    ['wrapped', 'cloudevents', {}],
  ] as const)('are read back as they were: %s, %s', async (_delivery, format, subscription) => {
    const { topicArn, queueUrl } = await topicWithQueue(false, subscription);
    const sent = outgoingMessage({
      id: 'a',
      destination: 'events',
      ...(format === 'plain' ? {} : { format }),
    });
    await topics({ events: topicArn }).dispatch([sent]);
    const [record] = await receiveRecords(sqs, queueUrl);
    if (record === undefined) throw new Error('Nothing arrived');
    const { id, type, body, headers } = readEnvelope(record);
    expect({ id, type, body }).toEqual({ id: 'a', type: sent.type, body: sent.body });
    expect(headers['Sagabox.CausationId']).toBe('in-1');
  });

  it('can be filtered by their type', async () => {
    const { topicArn, queueUrl } = await topicWithQueue(false, {
      RawMessageDelivery: 'true',
      FilterPolicy: JSON.stringify({ 'Sagabox.MessageType': ['OrderPlaced'] }),
    });
    await topics({ events: topicArn }).dispatch([
      outgoingMessage({ id: 'a', destination: 'events', type: 'OrderPlaced' }),
      outgoingMessage({ id: 'b', destination: 'events', type: 'OrderShipped' }),
    ]);
    expect((await receiveAll(sqs, queueUrl)).map(idOf)).toEqual(['a']);
  });

  it.each([
    ['of 256 KiB together go in one call', 0, [2]],
    ['of one byte more go in two', 1, [1, 1]],
  ])('%s', async (_name, more, entries) => {
    const { topicArn, queueUrl } = await topicWithQueue();
    const half = 128 * 1024;
    const sized = (id: string, bytes: number) => wireMessageOfSize(bytes, { id, destination: 'events' });
    await topics({ events: topicArn }).dispatch([sized('a', half), sized('b', half + more)]);
    expect(faults.requests.map(({ input }) => input.PublishBatchRequestEntries.length)).toEqual(entries);
    expect((await receiveAll(sqs, queueUrl)).map(idOf).toSorted()).toEqual(['a', 'b']);
  });

  it('arrive in their order and group from a FIFO topic, and once when they are published twice', async () => {
    const { topicArn, queueUrl } = await topicWithQueue(true);
    const messages = numberedMessages(5, 'events').map((message) => ({ ...message, messageGroupId: 'one' }));
    const transport = topics({ events: topicArn });
    await transport.dispatch(messages);
    await transport.dispatch(messages);
    const received = await receiveMessages(sqs, queueUrl);
    expect(received.length).toBeGreaterThan(0);
    expect(received.map(idOf)).toEqual(messages.slice(0, received.length).map(({ id }) => id));
    expect(received[0]?.Attributes).toMatchObject({
      MessageGroupId: 'one',
      MessageDeduplicationId: 'events-0',
    });
    const sentIds = faults.requests.map(({ input }) => input.PublishBatchRequestEntries.length);
    expect(sentIds).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('go to their topics, and the others arrive when one topic does not exist', async () => {
    const { topicArn, queueUrl } = await topicWithQueue();
    const lost = `${topicArn}-not-there`;
    const error = await sagaboxErrorOf(
      topics({ lost, events: topicArn }).dispatch([
        ...numberedMessages(1, 'lost'),
        ...numberedMessages(1, 'events'),
      ]),
    );
    expect(error).toMatchObject({
      code: 'DispatchRefused',
      retryable: false,
      facts: { destination: 'lost' },
    });
    expect(error.message).toContain('NotFoundException');
    expect(error.cause).toHaveProperty('name', 'NotFoundException');
    expect((await receiveAll(sqs, queueUrl)).map(idOf)).toEqual(['events-0']);
  });
});

describe('a publish', () => {
  itSendsAsTransportsDo({
    faults,
    service,
    operation: 'PublishBatch',
    createTarget: createTopic,
    refusals: ['AuthorizationErrorException', 'InvalidParameterException', 'KMSAccessDeniedException'],
    passingErrors: ['ThrottledException', 'KMSThrottlingException'],
    idsIn: ({ input }) => input.PublishBatchRequestEntries.map(idOf),
    outputOf: failedEntries,
    details: { passing: 'InternalError: Sorry', final: 'unknown: no message' },
  });
  itLoadsItsClientWhenNeeded(snsService, 'arn:aws:sns:us-east-1:000000000000:events');
});
