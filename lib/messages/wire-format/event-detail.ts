import { utf8Bytes } from '../../dynamodb/item-size.ts';
import type { JsonValue, OutgoingMessage } from '../message.ts';
import { cloudEvent } from './cloud-event.ts';
import { wireHeaders } from './wire.ts';
import { wireJson } from './wire-json.ts';

/** The property of an event's detail that carries the headers: EventBridge has no attributes. */
export const EVENT_HEADERS_PROPERTY = 'sagabox';

/** What an event on EventBridge says: the body with the headers beside it, or a CloudEvent. */
export function eventDetail(message: OutgoingMessage): { [name: string]: JsonValue } {
  if (message.format === 'cloudevents') return cloudEvent(message);
  const body = message.body as { [name: string]: JsonValue };
  return { ...body, [EVENT_HEADERS_PROPERTY]: wireHeaders(message) };
}

const SOURCE_PREFIX = 'sagabox.';

export function eventSource(endpoint: string): string {
  return `${SOURCE_PREFIX}${endpoint}`;
}

/** The endpoint that put an event, by its `source`; undefined for the source of somebody else. */
export function endpointOfSource(source: string): string | undefined {
  return source.startsWith(SOURCE_PREFIX) ? source.slice(SOURCE_PREFIX.length) : undefined;
}

/** Source: "Calculating PutEvents event entry size"; the time takes 14 bytes. */
export function eventBytes(message: OutgoingMessage, source: string): number {
  return 14 + utf8Bytes(source) + utf8Bytes(message.type) + utf8Bytes(wireJson(eventDetail(message)));
}
