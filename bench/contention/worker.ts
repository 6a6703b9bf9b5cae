import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SqsBatchHandler } from 'sagabox';
import { eventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { RedrivingQueue } from '../../test/support/own-engines/queues.ts';
import { deleteAll, receiveBatch } from './queues.ts';

export interface Worker {
  readonly sqsClient: SQSClient;
  readonly queues: RedrivingQueue;
  readonly handler: SqsBatchHandler;
  readonly functionTimeoutMs: number;
  /** Called with the SQS ids of the messages that are done. */
  readonly onDone: (messageIds: readonly string[]) => void;
  /** Called when the queue had nothing to give. */
  readonly onIdle: () => Promise<void>;
}

/**
 * Does what an event source mapping does: takes batches, and deletes what the handler does not return as
 * failed.
 */
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
    await deleteAll(sqsClient, queues.queueUrl, done);
    onDone(done.map(({ MessageId = '' }) => MessageId));
  }
}
