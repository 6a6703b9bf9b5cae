import type { QueueDestination } from './destination.ts';
import type { OutgoingMessage } from './message.ts';
import { ATTRIBUTE_DATA_TYPE, wireAttributes, wireBody } from './wire.ts';

/** Always the same for one message, so that scheduling it twice makes one schedule. */
export function scheduleName(messageId: string): string {
  return `sagabox-${messageId}`;
}

/** The request that a schedule makes of SQS when its time has come. */
export function sendRequest(message: OutgoingMessage, { queueUrl, fifo }: QueueDestination) {
  const attributes = Object.entries(wireAttributes(message)).map(
    ([name, value]) => [name, { DataType: ATTRIBUTE_DATA_TYPE, StringValue: value }] as const,
  );
  return {
    QueueUrl: queueUrl,
    MessageBody: wireBody(message),
    MessageAttributes: Object.fromEntries(attributes),
    ...(message.messageGroupId === undefined ? {} : { MessageGroupId: message.messageGroupId }),
    ...(fifo ? { MessageDeduplicationId: message.id } : {}),
  };
}
