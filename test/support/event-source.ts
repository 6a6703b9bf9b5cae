import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { headerNames, type SqsBatchHandler } from 'sagabox';
import { eventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { RedrivingQueue } from './own-engines/queues.ts';
import { acknowledge, receiveMessages } from './received-records.ts';

/** The visibility timeout is six times that of the function; a lease of 30 s outlives the function. */
export const functionTimeoutMs = 20_000;
export const redriveAfter = (maxReceiveCount: number) => ({
  visibilityTimeoutSeconds: (6 * functionTimeoutMs) / 1000,
  maxReceiveCount,
});

export interface DoneMessage {
  /** The one of its sender: SQS can hold a message twice. */
  readonly id: string;
  readonly type: string;
}

/** One of the pollers of an event source mapping, and the function that it invokes. */
export interface EventSource {
  readonly sqsClient: SQSClient;
  readonly queue: RedrivingQueue;
  readonly handler: SqsBatchHandler;
  readonly batchSize: number;
  /** @default 20 s */
  readonly functionTimeoutMs?: number;
  /** @default 1 */
  readonly waitTimeSeconds?: number;
  /** Called with the messages that the handler did not return as failed. */
  readonly onDone?: (messages: readonly DoneMessage[]) => Promise<void>;
  /** Called when the queue had no message. */
  readonly onIdle?: () => Promise<void>;
}

/** Receives batches, and deletes what the handler does not return as failed. */
export async function work(source: EventSource, signal: AbortSignal): Promise<void> {
  const {
    sqsClient,
    queue,
    handler,
    onDone,
    onIdle,
    functionTimeoutMs: timeoutMs = functionTimeoutMs,
  } = source;
  while (!signal.aborted) {
    const messages = await receiveBatch(source, signal);
    if (messages.length === 0) {
      if (!signal.aborted) await onIdle?.();
      continue;
    }
    const endsAt = performance.now() + timeoutMs;
    const context = { ...lambdaContext(), getRemainingTimeInMillis: () => endsAt - performance.now() };
    const Records = messages.map((message) => eventRecord(message, queue.queueArn));
    const { batchItemFailures } = await handler({ Records }, context);
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const done = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
    await acknowledge(sqsClient, queue.queueUrl, done);
    await onDone?.(done.map(doneMessage));
  }
}

function doneMessage({ MessageId = '', MessageAttributes = {} }: Message): DoneMessage {
  const id = MessageAttributes[headerNames.messageId]?.StringValue ?? MessageId;
  return { id, type: MessageAttributes[headerNames.messageType]?.StringValue ?? '' };
}

async function receiveBatch(
  { sqsClient, queue, batchSize, waitTimeSeconds = 1 }: EventSource,
  signal: AbortSignal,
): Promise<Message[]> {
  try {
    return await receiveMessages(sqsClient, queue.queueUrl, waitTimeSeconds, { batchSize, signal });
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}
