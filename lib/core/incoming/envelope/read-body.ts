import { parseExactly } from '../../exact-json.ts';
import { CLOUD_EVENTS_CONTENT_TYPE, headerNames } from '../headers.ts';
import { unfoldHeaders } from './message-headers.ts';
import { readCloudEvent } from './read-cloud-event.ts';
import { readEventBridgeEvent } from './read-event-bridge-event.ts';
import { type MessageHeaders, mergeHeaders, type Reading, Unreadable } from './reading.ts';
import { type Notification, unwrapNotification } from './unwrap-notification.ts';

/** Reads a body by the format that it is in; the attributes it came with win over what stands in it. */
export function readBody(body: string, attributes: MessageHeaders): Reading {
  return read(body, attributes, readAnyForeign);
}

type ReadForeign = (value: unknown, attributes: MessageHeaders) => Reading | undefined;

function read(body: string, attributes: MessageHeaders, readForeign: ReadForeign): Reading {
  let value: unknown;
  try {
    value = parseExactly(body);
  } catch (error) {
    return unreadable(attributes, `its body is not JSON (${(error as Error).message})`, error);
  }
  if (isLabelledCloudEvent(attributes)) {
    const event = readCloudEvent(value);
    if (event !== undefined) return withAttributes(event, attributes);
    return unreadable(attributes, 'its content-type says CloudEvents 1.0, and its body is none');
  }
  // With our own attributes, a body is never taken for an envelope, whatever it looks like.
  const foreign = attributes[headerNames.messageType] ? undefined : readForeign(value, attributes);
  return foreign ? withAttributes(foreign, attributes) : { headers: attributes, body: () => value };
}

function readAnyForeign(value: unknown, attributes: MessageHeaders): Reading | undefined {
  const event = readEvent(value);
  if (event !== undefined) return event;
  const notification = unwrapNotification(value);
  return notification && readNotification(notification, attributes);
}

/** No topic subscribes to another: a notification within a notification is the body of one. */
function readNotification(
  { id, headers, sentAt, message }: Notification,
  attributes: MessageHeaders,
): Reading {
  const inner = read(message, unfoldHeaders(mergeHeaders(headers, attributes)), readEvent);
  return { ...inner, id: inner.id ?? id, sentAt: inner.sentAt ?? sentAt };
}

function readEvent(value: unknown): Reading | undefined {
  return readCloudEvent(value) ?? readEventBridgeEvent(value);
}

function withAttributes(reading: Reading, attributes: MessageHeaders): Reading {
  return { ...reading, headers: mergeHeaders(reading.headers, attributes) };
}

function isLabelledCloudEvent(attributes: MessageHeaders): boolean {
  return attributes[headerNames.contentType]?.toLowerCase().startsWith(CLOUD_EVENTS_CONTENT_TYPE) ?? false;
}

function unreadable(headers: MessageHeaders, problem: string, cause?: unknown): Reading {
  const body = () => {
    throw new Unreadable(problem, { cause });
  };
  return { headers, body };
}
