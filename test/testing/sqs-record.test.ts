import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, it } from '@jest/globals';
import { createHandler, defineHandlers } from 'sagabox';
import { sqsEvent, sqsRecord } from 'sagabox/testing';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, sqsClient } from '../support/engines.ts';

it('is a record as Lambda delivers it', () => {
  const record = sqsRecord({
    type: 'OrderPlaced',
    body: { orderId: '1' },
    id: 'order-1',
    headers: { tenant: 'a' },
    sqsMessageId: 'sqs-1',
  });
  const ofString = { stringListValues: [], binaryListValues: [], dataType: 'String' };
  const string = (stringValue: string) => ({ ...ofString, stringValue });
  expect(record).toEqual({
    messageId: 'sqs-1',
    receiptHandle: expect.any(String),
    body: '{"orderId":"1"}',
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1767225600000',
      SenderId: expect.any(String),
      ApproximateFirstReceiveTimestamp: '1767225600000',
    },
    messageAttributes: {
      tenant: string('a'),
      'Sagabox.MessageId': string('order-1'),
      'Sagabox.MessageType': string('OrderPlaced'),
    },
    md5OfBody: '88184523ea58af56fab8c77c3e2fb5d0',
    md5OfMessageAttributes: expect.stringMatching(/^[0-9a-f]{32}$/),
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:123456789012:queue',
    awsRegion: 'us-east-1',
  });
});

it('has the digests that SQS computes', async () => {
  const client = sqsClient();
  try {
    const QueueUrl = await createQueue();
    const record = sqsRecord({ type: 'Größe', body: { text: 'ä€' }, headers: { a: '1', B: '2' } });
    const MessageAttributes = Object.fromEntries(
      Object.entries(record.messageAttributes).map(([name, { stringValue }]) => {
        return [name, { DataType: 'String', StringValue: stringValue }];
      }),
    );
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: record.body, MessageAttributes }));
    const { Messages } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ['All'] }),
    );
    expect(record.md5OfBody).toBe(Messages?.[0]?.MD5OfBody);
    expect(record.md5OfMessageAttributes).toBe(Messages?.[0]?.MD5OfMessageAttributes);
  } finally {
    client.destroy();
  }
});

it('of a foreign producer has no attributes', () => {
  const record = sqsRecord({ rawBody: 'plain text' });
  expect(record.messageAttributes).toEqual({});
  expect(record).not.toHaveProperty('md5OfMessageAttributes');
  expect(record.body).toBe('plain text');
});

it('of a group comes from a FIFO queue, unless a queue is named', () => {
  expect(sqsRecord({ messageGroupId: 'a', receiveCount: 3 })).toMatchObject({
    attributes: { MessageGroupId: 'a', SequenceNumber: expect.any(String), ApproximateReceiveCount: '3' },
    eventSourceARN: expect.stringMatching(/\.fifo$/),
  });
  expect(sqsRecord({ messageGroupId: 'a', queueName: 'fair' }).attributes).not.toHaveProperty(
    'SequenceNumber',
  );
});

it.each([null, 0, '', false, [], 'text'])('takes any JSON body: %j', (body) => {
  expect(JSON.parse(sqsRecord({ body }).body)).toEqual(body);
});

it('makes events of options and records, each with an id of its own', async () => {
  const copies = [{ id: 'same' }, { id: 'same' }];
  const event = sqsEvent([...copies, sqsRecord({ sqsMessageId: 'mine' })]);
  expect(new Set(event.Records.map(({ messageId }) => messageId)).size).toBe(3);

  const handlers = defineHandlers({ messages: { Known: anything }, handlers: { Known() {} } });
  const options = { endpoint: 'known', outboxTable: { tableName: 'none' }, logger: silentLogger };
  const handler = createHandler(handlers, { ...options, throwOnFullBatchFailure: false });
  const { batchItemFailures } = await handler(event);
  expect(batchItemFailures).toHaveLength(3);
});

/** A Standard Schema by hand: no library is needed for one. */
const anything = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const;
