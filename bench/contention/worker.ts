import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SqsBatchHandler } from 'sagabox';
import { eventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { RedrivingQueue } from '../../test/support/own-engines/queues.ts';
import { messageAttributes } from '../engines/sqs-records.ts';
import { messageType } from './counter-saga.ts';

const batchSize = 10;

export async function sendAll(client: SQSClient, QueueUrl: string, messages: number): Promise<void> {
  for (let first = 0; first < messages; first += batchSize) {
    const indexes = Array.from({ length: Math.min(batchSize, messages - first) }, (_, at) => first + at);
    const Entries = indexes.map((index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({ index }),
      MessageAttributes: messageAttributes(`message-${index}`, messageType),
    }));
    const { Failed: [failed] = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (failed) throw new Error(`SQS refused a message: ${failed.Message}`);
  }
}

export interface Worker {
  readonly sqsClient: SQSClient;
  readonly queues: RedrivingQueue;
  readonly handler: SqsBatchHandler;
  readonly functionTimeoutMs: number;
  /** Called with the SQS ids of the messages that are done. */
  readonly onDone: (messageIds: readonly string[]) => void;
  /** Called when the queue had no message. */
  readonly onIdle: () => Promise<void>;
}

/** An event source mapping: receives batches, and deletes what the handler does not return as failed. */
export async function work(worker: Worker, signal: AbortSignal): Promise<void> {
  const { sqsClient, queues, handler, functionTimeoutMs, onDone, onIdle } = worker;
  while (!signal.aborted) {
    const messages = await receiveBatch(sqsClient, queues.queueUrl, signal);
    if (messages.length === 0) {
      if (!signal.aborted) await onIdle();
      continue;
    }
    const endsAt = performance.now() + functionTimeoutMs;
    const context = { ...lambdaContext(), getRemainingTimeInMillis: () => endsAt - performance.now() };
    const Records = messages.map((message) => eventRecord(message, queues.queueArn));
    const { batchItemFailures } = await handler({ Records }, context);
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const done = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
    const Entries = done.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    if (Entries.length > 0) {
      await sqsClient.send(new DeleteMessageBatchCommand({ QueueUrl: queues.queueUrl, Entries }));
    }
    onDone(done.map(({ MessageId = '' }) => MessageId));
  }
}

async function receiveBatch(client: SQSClient, QueueUrl: string, signal: AbortSignal): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: batchSize,
    WaitTimeSeconds: 1,
    MessageAttributeNames: ['All'],
    MessageSystemAttributeNames: ['All'],
  });
  try {
    return (await client.send(command, { abortSignal: signal })).Messages ?? [];
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}
