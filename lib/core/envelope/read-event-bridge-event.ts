import { EVENT_HEADERS_PROPERTY } from '../event-detail.ts';
import { headerNames } from '../headers.ts';
import { ownHeaders } from './header-texts.ts';
import { asDate, asFilledText, asJsonObject, type JsonObject } from './json-values.ts';
import { readCloudEvent } from './read-cloud-event.ts';
import { mergeHeaders, type Reading } from './reading.ts';

/** An event as an EventBridge rule delivers it; undefined when it is none. Source: "Amazon EventBridge event structure". */
export function readEventBridgeEvent(value: unknown): Reading | undefined {
  const event = asJsonObject(value);
  if (event?.version !== '0') return undefined;
  const id = asFilledText(event.id);
  const type = asFilledText(event['detail-type']);
  const detail = asJsonObject(event.detail);
  if (id === undefined || type === undefined || detail === undefined) return undefined;
  if (![event.source, event.account, event.time].every(asFilledText)) return undefined;

  const sentAt = asDate(event.time);
  // Before a CloudEvent is looked for: the body of a message of ours is nothing but a body.
  if (isOurs(detail)) return readOurs(detail, type, sentAt);
  const cloudEvent = readCloudEvent(detail);
  if (cloudEvent !== undefined) return { ...cloudEvent, sentAt: cloudEvent.sentAt ?? sentAt };
  return { id, type, headers: mergeHeaders(), sentAt, body: () => detail };
}

/** A foreign event may have a property of that name; ours always has the id. */
function isOurs(detail: JsonObject): boolean {
  return asFilledText(asJsonObject(detail[EVENT_HEADERS_PROPERTY])?.[headerNames.messageId]) !== undefined;
}

function readOurs(detail: JsonObject, type: string, sentAt: Date | undefined): Reading {
  const headers = ownHeaders(detail[EVENT_HEADERS_PROPERTY], `detail.${EVENT_HEADERS_PROPERTY}`);
  const body = Object.fromEntries(Object.entries(detail).filter(([name]) => name !== EVENT_HEADERS_PROPERTY));
  return { type, headers, sentAt, body: () => body };
}
