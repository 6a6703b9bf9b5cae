import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SqsBatchHandler } from 'sagabox';
import { eventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { RedrivingQueue } from './own-engines/queues.ts';

const batchSize = 10;

export interface Worker {
  readonly sqsClient: SQSClient;
  readonly queues: Pick<RedrivingQueue, 'queueUrl' | 'queueArn'>;
  readonly handler: SqsBatchHandler;
  readonly functionTimeoutMs: number;
  /** @default 1 */
  readonly waitTimeSeconds?: number;
  /** Called with the SQS ids of the messages that are done. */
  readonly onDone?: (messageIds: readonly string[]) => void;
  /** Called when the queue had no message. */
  readonly onIdle?: () => Promise<void>;
}

/** An event source mapping: receives batches, and deletes what the handler does not return as failed. */
export async function work(worker: Worker, signal: AbortSignal): Promise<void> {
  const { sqsClient, queues, handler, functionTimeoutMs, waitTimeSeconds = 1, onDone, onIdle } = worker;
  while (!signal.aborted) {
    const messages = await receiveBatch(sqsClient, queues.queueUrl, waitTimeSeconds, signal);
    if (messages.length === 0) {
      if (!signal.aborted) await onIdle?.();
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
    onDone?.(done.map(({ MessageId = '' }) => MessageId));
  }
}

async function receiveBatch(
  client: SQSClient,
  QueueUrl: string,
  WaitTimeSeconds: number,
  signal: AbortSignal,
): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: batchSize,
    WaitTimeSeconds,
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
