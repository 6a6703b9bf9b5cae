import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { limits } from '../../kernel/limits.ts';
import { CLOUD_EVENTS_CONTENT_TYPE, headerNames, OWN_HEADER_PREFIX } from '../headers.ts';
import type { OutgoingMessage } from '../message.ts';
import { cloudEvent } from './cloud-event.ts';
import { wireJson } from './wire-json.ts';

/** The data type of every message attribute that sagabox sends; its bytes count too. */
export const ATTRIBUTE_DATA_TYPE = 'String';

export interface RequestAttribute {
  readonly DataType: string;
  readonly StringValue: string;
}

/** What stands in the body of a message on SQS and SNS. */
export function wireBody(message: OutgoingMessage): string {
  return wireJson(message.format === 'cloudevents' ? cloudEvent(message) : message.body);
}

export function wireAttributes(message: OutgoingMessage): Record<string, string> {
  const attributes = wireHeaders(message);
  if (message.format === 'cloudevents') {
    attributes[headerNames.contentType] = `${CLOUD_EVENTS_CONTENT_TYPE}; charset=UTF-8`;
  }
  return Object.keys(attributes).length > limits.messageAttributes ? folded(attributes) : attributes;
}

/** The same, as the requests of SQS and SNS have them. */
export function requestAttributes(message: OutgoingMessage): Record<string, RequestAttribute> {
  const attributes: Record<string, string | RequestAttribute> = wireAttributes(message);
  for (const name of Object.keys(attributes)) {
    attributes[name] = { DataType: ATTRIBUTE_DATA_TYPE, StringValue: attributes[name] as string };
  }
  return attributes as Record<string, RequestAttribute>;
}

export function wireHeaders(message: OutgoingMessage): Record<string, string> {
  return {
    ...message.headers,
    [headerNames.messageId]: message.id,
    [headerNames.messageType]: message.type,
  };
}

/** Bytes that count against a limit of SQS or SNS: the body, and each attribute's name, type and value. */
export function wireBytes(message: OutgoingMessage): number {
  let bytes = utf8Bytes(wireBody(message));
  const attributes = wireAttributes(message);
  for (const name of Object.keys(attributes)) {
    bytes += utf8Bytes(name) + ATTRIBUTE_DATA_TYPE.length + utf8Bytes(attributes[name] as string);
  }
  return bytes;
}

/** What readers without sagabox go by stays an attribute: id, type, and the headers of the user. */
function folded(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(attributes);
  const kept = Object.fromEntries(all.filter(([name]) => !isFoldable(name)));
  const others = Object.fromEntries(all.filter(([name]) => isFoldable(name)));
  return { ...kept, [headerNames.folded]: wireJson(others) };
}

/** Whether a header may go into the attribute of those for which there is no other one. */
export function isFoldable(name: string): boolean {
  if (name === headerNames.messageId || name === headerNames.messageType) return false;
  const isOfTrace = name === headerNames.traceParent || name === headerNames.traceState;
  return isOfTrace || name.startsWith(OWN_HEADER_PREFIX);
}
