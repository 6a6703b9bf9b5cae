import type { QueueDestination } from '../destinations/destination.ts';
import type { OutgoingMessage } from '../message.ts';
import { requestAttributes, wireBody } from './wire.ts';

/** Always the same for one message, so that scheduling it twice makes one schedule. */
export function scheduleName(messageId: string): string {
  return `sagabox-${messageId}`;
}

/**
 * The request that a schedule makes of SQS, as JSON. EventBridge Scheduler replaces strings such as
 * `<aws.scheduler.scheduled-time>` in it, also in bodies, so that no bracket stands there as itself. Source:
 * "Adding context attributes" in the EventBridge Scheduler User Guide.
 */
export function scheduleInput(message: OutgoingMessage, destination: QueueDestination): string {
  return JSON.stringify(sendRequest(message, destination)).replaceAll('<', '\\u003c');
}

function sendRequest(message: OutgoingMessage, { queueUrl, fifo }: QueueDestination) {
  return {
    QueueUrl: queueUrl,
    MessageBody: wireBody(message),
    MessageAttributes: requestAttributes(message),
    ...(message.messageGroupId === undefined ? {} : { MessageGroupId: message.messageGroupId }),
    ...(fifo ? { MessageDeduplicationId: message.id } : {}),
  };
}
