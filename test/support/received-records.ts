import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { eventRecord } from '../../lib/local/lambda/sqs-event.ts';

/** What a queue delivers now, as the records of one Lambda event. */
export async function receiveRecords(client: SQSClient, queueUrl: string): Promise<SQSRecord[]> {
  const messages = await receiveMessages(client, queueUrl);
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
  );
  return messages.map((message) => eventRecord(message, Attributes?.QueueArn ?? ''));
}

/** @param waitSeconds for the first message */
export async function receiveMessages(
  client: SQSClient,
  QueueUrl: string,
  waitSeconds = 0,
  { batchSize = 10, signal }: { readonly batchSize?: number; readonly signal?: AbortSignal } = {},
): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: batchSize,
    WaitTimeSeconds: waitSeconds,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
  });
  return (await client.send(command, signal && { abortSignal: signal })).Messages ?? [];
}

/** All messages of a queue, and nothing stays in it. */
export async function receiveAll(client: SQSClient, queueUrl: string): Promise<Message[]> {
  const received: Message[] = [];
  for (;;) {
    const messages = await receiveMessages(client, queueUrl);
    if (messages.length === 0) return received;
    received.push(...messages);
  }
}

/** What Lambda does with the records that a batch did not return. */
export async function acknowledge(
  client: SQSClient,
  QueueUrl: string,
  messages: readonly (SQSRecord | Message)[],
): Promise<void> {
  if (messages.length === 0) return;
  const Entries = messages.map((message, index) => {
    const ReceiptHandle = 'receiptHandle' in message ? message.receiptHandle : message.ReceiptHandle;
    return { Id: String(index), ReceiptHandle };
  });
  await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
}

/** Takes out what is in a queue now. */
export async function takeAll(client: SQSClient, queueUrl: string): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const messages = await receiveMessages(client, queueUrl);
    if (messages.length === 0) return all;
    all.push(...messages);
    await acknowledge(client, queueUrl, messages);
  }
}

/** The bodies of all messages in a queue; of those with one id, which were sent twice, one. */
export async function bodiesIn(client: SQSClient, queueUrl: string): Promise<unknown[]> {
  const messages = await takeAll(client, queueUrl);
  const byId = new Map(
    messages.map((message) => [attributeOf(message, 'Sagabox.MessageId') || message.MessageId, message]),
  );
  return [...byId.values()].map(({ Body = 'null' }) => JSON.parse(Body));
}

export function attributeOf({ MessageAttributes: attributes = {} }: Message, name: string): string {
  return attributes[name]?.StringValue ?? '';
}

/** The messages that wait to be received or to be acknowledged, and those that are delayed. */
export async function depthOf(sqs: SQSClient, QueueUrl: string): Promise<{ now: number; delayed: number }> {
  const { Attributes: counts = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  );
  return {
    now: Number(counts.ApproximateNumberOfMessages) + Number(counts.ApproximateNumberOfMessagesNotVisible),
    delayed: Number(counts.ApproximateNumberOfMessagesDelayed),
  };
}

/** All messages of some queues, delayed ones and those at work included. */
export async function messagesIn(sqs: SQSClient, queueUrls: readonly string[]): Promise<number> {
  const depths = await Promise.all(queueUrls.map((queueUrl) => depthOf(sqs, queueUrl)));
  return depths.reduce((sum, { now, delayed }) => sum + now + delayed, 0);
}

export interface SentMessage {
  readonly type?: string;
  readonly id?: string;
  /** JSON of it, or the string itself. */
  readonly body: unknown;
  readonly group?: string;
  readonly attributes?: Record<string, MessageAttributeValue>;
}

/** Sends as a plain producer does. @returns the id that SQS gave */
export async function sendTo(client: SQSClient, queueUrl: string, message: SentMessage): Promise<string> {
  const { type, id, body, group, attributes } = message;
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  const { MessageId = '' } = await client.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
      MessageAttributes: {
        ...attributes,
        ...(type === undefined ? {} : { 'Sagabox.MessageType': text(type) }),
        ...(id === undefined ? {} : { 'Sagabox.MessageId': text(id) }),
      },
      ...(group === undefined ? {} : { MessageGroupId: group, MessageDeduplicationId: crypto.randomUUID() }),
    }),
  );
  return MessageId;
}
