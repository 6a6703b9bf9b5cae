import { utf8Bytes } from '../dynamodb/item-size.ts';
import { limits } from '../kernel/limits.ts';
import { type Destination, maxMessageSizeOf } from '../messages/destinations/destination.ts';
import { headerNames } from '../messages/headers.ts';
import { isScheduled, type OutgoingMessage } from '../messages/message.ts';
import { eventBytes, eventSource } from '../messages/wire-format/event-detail.ts';
import { scheduleInput } from '../messages/wire-format/schedule.ts';
import { wireBytes } from '../messages/wire-format/wire.ts';
import { wireJson } from '../messages/wire-format/wire-json.ts';
import { endpointRemedies } from './remedies.ts';

const services = { queue: 'SQS', topic: 'SNS', eventBus: 'EventBridge' } as const;

/** Returns the reason why a message is too large for its destination; `undefined` when it is not. */
export function sizeProblem(
  message: OutgoingMessage,
  destination: Destination,
  { size: remedy, knownSize } = endpointRemedies,
): string | undefined {
  const { kind, name } = destination;
  const bytes = sizeOf(message, destination);
  const maxBytes = maxMessageSizeOf(destination);
  if (bytes > maxBytes) {
    const isRaisable = kind !== 'eventBus' && maxBytes < limits.messageBytes;
    const [limit, otherRemedy] = isRaisable
      ? [`that '${name}' takes`, `, or ${knownSize}`]
      : [`of ${services[kind]}`, ''];
    return `it takes ${bytes} bytes, over the ${maxBytes} ${limit}: ${remedy}${otherRemedy}`;
  }
  if (!isScheduled(message) || kind !== 'queue') return undefined;
  const inputBytes = utf8Bytes(scheduleInput(message, destination));
  if (inputBytes <= limits.scheduleInputBytes) return undefined;
  const limit = `over the ${limits.scheduleInputBytes} of EventBridge Scheduler`;
  return `it takes ${inputBytes} bytes in a schedule, ${limit}: ${remedy}`;
}

function sizeOf(message: OutgoingMessage, destination: Destination): number {
  if (destination.kind !== 'eventBus') return wireBytes(message);
  return eventBytes(message, eventSource(message.headers[headerNames.replyTo] ?? ''));
}

/** Whether the body goes to the claim check bucket: over the threshold, or too large for the destination. */
export function needsClaimCheck(
  message: OutgoingMessage,
  destination: Destination | undefined,
  thresholdBytes: number,
): boolean {
  if (utf8Bytes(wireJson(message.body)) > thresholdBytes) return true;
  return destination !== undefined && sizeProblem(message, destination) !== undefined;
}
