import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { SagaboxError } from '../kernel/errors/errors.ts';
import type { FailureFacts } from '../messages/failures/failure-facts.ts';
import { failureAttributes } from '../messages/failures/failure-message.ts';
import { messageGroupIdOf } from '../messages/record-fields.ts';
import { receivedAttributes } from '../messages/wire-format/wire-attributes.ts';
import type { ErrorQueue } from './error-queue.ts';
import { toMessageAttributes } from './message-attributes.sqs.ts';

export interface SqsErrorQueueOptions {
  client: SQSClient;
  queueUrl: string;
}

/** Sends failed messages to a queue: the body as it came, its attributes, and the failure header. */
export class SqsErrorQueue implements ErrorQueue {
  readonly #options: SqsErrorQueueOptions;

  constructor(options: SqsErrorQueueOptions) {
    this.#options = options;
  }

  async forward(
    record: SQSRecord,
    messageId: string,
    facts: FailureFacts,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, queueUrl } = this.#options;
    const { body } = record;
    if (typeof body !== 'string') throw forwardFailed(messageId, 'its record has no body');
    const message = { id: messageId, body, attributes: receivedAttributes(record.messageAttributes) };
    const attributes = failureAttributes(message, facts);
    if (attributes === undefined) {
      throw forwardFailed(messageId, 'SQS has no room for its failure header beside its body and attributes');
    }
    try {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: body,
          MessageAttributes: toMessageAttributes(attributes),
          ...groupOf(record, queueUrl.endsWith('.fifo')),
        }),
        { abortSignal: signal },
      );
    } catch (error) {
      const { name, message } = error as Error;
      throw forwardFailed(messageId, `${name}: ${message}`, error);
    }
  }
}

/**
 * Returns the group, and an id of the forward for FIFO queues. The id that SQS gave is the same when the
 * forward is repeated, and another one when a redriven message fails again, which must not be taken for a
 * copy.
 */
function groupOf(record: SQSRecord, fifo: boolean) {
  const { messageId } = record;
  const group = messageGroupIdOf(record);
  if (fifo) return { MessageGroupId: group ?? messageId, MessageDeduplicationId: messageId };
  return group === undefined ? {} : { MessageGroupId: group };
}

function forwardFailed(messageId: string, detail: string, cause?: unknown): SagaboxError<'ForwardFailed'> {
  return new SagaboxError('ForwardFailed', { messageId, detail }, { cause });
}
