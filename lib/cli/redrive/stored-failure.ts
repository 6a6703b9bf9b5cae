import type { Message } from '@aws-sdk/client-sqs';
import { attributeHeaders, unfoldHeaders } from '../../messages/envelope/message-headers.ts';
import { deduplicationIdOf } from '../../messages/envelope.ts';
import { withMessageId, withoutFailure } from '../../messages/failures/failure-message.ts';
import { headerNames } from '../../messages/headers.ts';
import type { WireAttributes } from '../../messages/wire-format/wire-attributes.ts';
import { fromMessageAttributes } from '../../recoverability/message-attributes.sqs.ts';

/** A message that waits in an error queue or a dead letter queue. */
export interface StoredFailure {
  readonly sqsMessageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  /** As they were before the message failed. */
  readonly attributes: WireAttributes;
  readonly messageId: string;
  readonly messageType: string;
  /** Of the saga that sent it. */
  readonly correlationId: string | undefined;
  readonly messageGroupId: string | undefined;
  readonly failedAt: Date;
  /** The ARN of the queue that SQS itself moved it from. */
  readonly movedFrom: string | undefined;
  /** What the failure header of another message says, as URL or ARN: in an error queue the endpoint wrote it. */
  readonly forwardedFrom: string | undefined;
  /** `undefined` for what no endpoint forwarded. */
  readonly code: string | undefined;
}

/**
 * @param queueUrl where it waits: what SQS moved there, it moved within the account
 * @param mayBeForwarded whether endpoints forward messages to its queue
 */
export function readStoredFailure(
  message: Message,
  queueUrl: string,
  mayBeForwarded: boolean,
): StoredFailure {
  const { MessageId: sqsMessageId = '', ReceiptHandle = '', Body: body = '', Attributes = {} } = message;
  const messageAttributes = fromMessageAttributes(message.MessageAttributes);
  const { DeadLetterQueueSourceArn: movedFrom } = Attributes;
  const id = deduplicationIdOf({ messageId: sqsMessageId, body, messageAttributes }, accountOfUrl(queueUrl));
  // Of what SQS or SNS put there, a failure header is its sender's, or of an earlier failure.
  const { attributes, failure } =
    mayBeForwarded && movedFrom === undefined
      ? withoutFailure({ id, attributes: messageAttributes })
      : { attributes: withMessageId(messageAttributes, id), failure: undefined };
  return {
    ...{ sqsMessageId, receiptHandle: ReceiptHandle, body, attributes },
    messageId: attributes[headerNames.messageId]?.stringValue ?? '',
    messageType: attributes[headerNames.messageType]?.stringValue ?? '',
    correlationId: correlationIdOf(attributes),
    messageGroupId: failure?.messageGroupId ?? Attributes.MessageGroupId,
    failedAt: failedAtOf(failure?.failedAt, Number(Attributes.SentTimestamp ?? 0)),
    movedFrom,
    forwardedFrom: failure?.queue,
    code: failure?.code,
  };
}

/** What is in the queue has failed before it came there: one that a sender dates later would stay for ever. */
function failedAtOf(stated: string | undefined, sentMs: number): Date {
  return new Date(stated === undefined ? sentMs : Math.min(Date.parse(stated), sentMs));
}

/** Undefined for a URL of another form, as local engines may have. */
function accountOfUrl(queueUrl: string): string | undefined {
  return /\/(\d{12})\/[^/]+$/.exec(queueUrl)?.[1];
}

/** Also of a message that had no attribute left for it, such as a timeout in a trace. */
function correlationIdOf(attributes: WireAttributes): string | undefined {
  try {
    return unfoldHeaders(attributeHeaders(attributes))[headerNames.correlationId];
  } catch {
    // No message of ours has headers that cannot be read.
    return undefined;
  }
}
