import { keepNumbers } from '../../kernel/exact-json.ts';
import { headerNames } from '../headers.ts';
import { sourceOf } from '../wire-format/cloud-event.ts';
import { EVENT_HEADERS_PROPERTY, endpointOfSource } from '../wire-format/event-detail.ts';
import { compoundId } from './compound-id.ts';
import { asDate, asJsonObject, asNonEmptyString, type JsonObject } from './json-values.ts';
import { ownHeaders } from './message-headers.ts';
import { readCloudEvent } from './read-cloud-event.ts';
import { noHeaders, type Reading } from './reading.ts';

/** The origin of an event. EventBridge writes the account, and IAM says who may use which source. */
interface Origin {
  readonly account: string;
  readonly source: string;
  /** The endpoint of sagabox that the source names; `undefined` for any other source. */
  readonly endpoint: string | undefined;
  readonly isOtherAccount: boolean;
}

/**
 * Reads an event of EventBridge; `undefined` for any other value. Source: "Amazon EventBridge event
 * structure".
 *
 * @param ownAccount the account of the queue; undefined when the record does not tell
 */
export function readEventBridgeEvent(value: unknown, ownAccount: string | undefined): Reading | undefined {
  const event = asJsonObject(value);
  if (event?.version !== '0') return undefined;
  const id = asNonEmptyString(event.id);
  const type = asNonEmptyString(event['detail-type']);
  const detail = asJsonObject(event.detail);
  if (id === undefined || type === undefined || detail === undefined) return undefined;
  const [source, account, time] = [event.source, event.account, event.time].map(asNonEmptyString);
  if (source === undefined || account === undefined || time === undefined) return undefined;

  const endpoint = endpointOfSource(source);
  const isOtherAccount = ownAccount !== undefined && account !== ownAccount;
  const origin: Origin = { account, source, endpoint, isOtherAccount };
  // Sagabox's own events are looked for before CloudEvents: their body is nothing but a body.
  const read = readOurs(detail, origin) ?? readCloudEventIn(detail, origin) ?? readDetail(detail, id);
  // Rules select by the type of the event: a type in its detail has passed none of them.
  return {
    ...read,
    type,
    sentAt: read.sentAt ?? asDate(time),
    replayName: asNonEmptyString(event['replay-name']),
  };
}

/** Reads an event of sagabox, which has the id of a message, and comes from the endpoint that it names. */
function readOurs(detail: JsonObject, origin: Origin): Reading | undefined {
  const { [EVENT_HEADERS_PROPERTY]: own, ...body } = detail;
  const said = asJsonObject(own);
  const id = asNonEmptyString(said?.[headerNames.messageId]);
  if (id === undefined || origin.endpoint === undefined) return undefined;
  if (said?.[headerNames.replyTo] !== origin.endpoint) return undefined;
  const headers = ownHeaders(own, `detail.${EVENT_HEADERS_PROPERTY}`);
  keepNumbers(detail, body);
  return { id: ownId(id, origin), headers, body: () => body };
}

/** Returns the id of an own message: another account may use the source and the ids of an endpoint, too. */
function ownId(id: string, { account, source, isOtherAccount }: Origin): string {
  return isOtherAccount ? compoundId(account, source, id) : id;
}

function readCloudEventIn(detail: JsonObject, origin: Origin): Reading | undefined {
  const { account, source, endpoint } = origin;
  const isOurs = endpoint !== undefined && detail.source === sourceOf(endpoint);
  return readCloudEvent(detail, {
    mayBeOurs: isOurs,
    idOf: (of, id) => (isOurs ? ownId(id, origin) : compoundId(account, source, of, id)),
  });
}

function readDetail(detail: JsonObject, id: string): Reading {
  return { id, headers: noHeaders, body: () => detail };
}
