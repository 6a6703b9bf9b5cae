import { keepNumbers } from '../../exact-json.ts';
import { isOwnSource, sourceOf } from '../../wire-format/cloud-event.ts';
import { EVENT_HEADERS_PROPERTY, endpointOfSource } from '../../wire-format/event-detail.ts';
import { headerNames } from '../headers.ts';
import { asDate, asJsonObject, asNonEmptyString, type JsonObject } from './json-values.ts';
import { ownHeaders } from './message-headers.ts';
import { readCloudEvent } from './read-cloud-event.ts';
import { mergeHeaders, type Reading } from './reading.ts';

/** Undefined when it is none. Source: "Amazon EventBridge event structure". */
export function readEventBridgeEvent(value: unknown): Reading | undefined {
  const event = asJsonObject(value);
  if (event?.version !== '0') return undefined;
  const id = asNonEmptyString(event.id);
  const type = asNonEmptyString(event['detail-type']);
  const detail = asJsonObject(event.detail);
  if (id === undefined || type === undefined || detail === undefined) return undefined;
  const source = asNonEmptyString(event.source);
  if (source === undefined || ![event.account, event.time].every(asNonEmptyString)) return undefined;

  const sentAt = asDate(event.time);
  const endpoint = endpointOfSource(source);
  // Before a CloudEvent is looked for: the body of a message of ours is nothing but a body.
  if (isOurs(detail, endpoint)) return readOurs(detail, type, sentAt);
  const cloudEvent = readCloudEventIn(detail, id, endpoint);
  if (cloudEvent !== undefined) return { ...cloudEvent, sentAt: cloudEvent.sentAt ?? sentAt };
  return { id, type, headers: mergeHeaders(), sentAt, body: () => detail };
}

/** Ours have the id, and come from the endpoint that they name: IAM says who may use which source. */
function isOurs(detail: JsonObject, endpoint: string | undefined): boolean {
  const headers = asJsonObject(detail[EVENT_HEADERS_PROPERTY]);
  const hasId = asNonEmptyString(headers?.[headerNames.messageId]) !== undefined;
  return hasId && endpoint !== undefined && headers?.[headerNames.replyTo] === endpoint;
}

/** One that names an endpoint of ours that did not put it is known by the id of its event. */
function readCloudEventIn(detail: JsonObject, id: string, endpoint: string | undefined): Reading | undefined {
  const { source } = detail;
  const saysOurs = typeof source === 'string' && isOwnSource(source);
  const isOurs = endpoint !== undefined && source === sourceOf(endpoint);
  if (isOurs || !saysOurs) return readCloudEvent(detail);
  const foreign = readCloudEvent(detail, false);
  return foreign && { ...foreign, id };
}

function readOurs(detail: JsonObject, type: string, sentAt: Date | undefined): Reading {
  const headers = ownHeaders(detail[EVENT_HEADERS_PROPERTY], `detail.${EVENT_HEADERS_PROPERTY}`);
  const body = Object.fromEntries(Object.entries(detail).filter(([name]) => name !== EVENT_HEADERS_PROPERTY));
  keepNumbers(detail, body);
  return { type, headers, sentAt, body: () => body };
}
