import type { Message } from '@aws-sdk/client-sqs';
import { fromMessageAttributes } from '../../adapters/sqs/message-attributes.ts';
import type { FailureFacts } from '../../core/failures/failure-facts.ts';
import { withoutFailure } from '../../core/failures/failure-message.ts';
import { deduplicationIdOf } from '../../core/incoming/envelope.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import type { WireAttributes } from '../../core/wire-format/wire-attributes.ts';
import type { RedriveOptions } from './options.ts';

/** A message that waits in an error queue or a dead letter queue. */
export interface StoredFailure {
  readonly sqsMessageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  /** As they were before the message failed. */
  readonly attributes: WireAttributes;
  readonly messageGroupId: string | undefined;
  readonly failedAt: Date;
  /** Where it came from, as URL or ARN. */
  readonly source: string | undefined;
  /** `undefined` for what SQS itself moved to a dead letter queue. */
  readonly failure: FailureFacts | undefined;
}

export function readStoredFailure(message: Message): StoredFailure {
  const { MessageId: sqsMessageId = '', ReceiptHandle = '', Body = '', Attributes = {} } = message;
  const messageAttributes = fromMessageAttributes(message.MessageAttributes);
  const { attributes, failure } = withoutFailure({
    id: deduplicationIdOf({ messageId: sqsMessageId, body: Body, messageAttributes }),
    attributes: messageAttributes,
  });
  return {
    sqsMessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes,
    messageGroupId: failure?.messageGroupId ?? Attributes.MessageGroupId,
    failedAt: new Date(failure?.failedAt ?? Number(Attributes.SentTimestamp ?? 0)),
    source: failure?.queue ?? Attributes.DeadLetterQueueSourceArn,
    failure,
  };
}

export function messageType({ attributes }: StoredFailure): string {
  return attributes[headerNames.messageType]?.stringValue ?? '';
}

export function messageId({ attributes }: StoredFailure): string {
  return attributes[headerNames.messageId]?.stringValue ?? '';
}

/** Whether the filters of a run let a message through. */
export function isWanted(
  stored: StoredFailure,
  { code, type, since }: Pick<RedriveOptions, 'code' | 'type' | 'since'>,
): boolean {
  const hasCode = code === undefined || code.includes(stored.failure?.code ?? '');
  const hasType = type === undefined || type.includes(messageType(stored));
  return hasCode && hasType && (since === undefined || stored.failedAt >= since);
}
