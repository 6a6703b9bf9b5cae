import { keepNumbers } from '../../exact-json.ts';
import { sourceOf } from '../../wire-format/cloud-event.ts';
import { EVENT_HEADERS_PROPERTY, endpointOfSource } from '../../wire-format/event-detail.ts';
import { headerNames } from '../headers.ts';
import { compoundId } from './compound-id.ts';
import { asDate, asJsonObject, asNonEmptyString, type JsonObject } from './json-values.ts';
import { ownHeaders } from './message-headers.ts';
import { readCloudEvent } from './read-cloud-event.ts';
import { noHeaders, type Reading } from './reading.ts';

/** Who put an event. EventBridge writes the account, and IAM says who may use which source. */
interface Origin {
  readonly account: string;
  readonly source: string;
  /** Of sagabox, by the source; undefined for the source of somebody else. */
  readonly endpoint: string | undefined;
  readonly isOtherAccount: boolean;
}

/**
 * Undefined when it is none. Source: "Amazon EventBridge event structure".
 *
 * @param ownAccount of the queue; undefined when the record does not tell
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
  // Before a CloudEvent is looked for: the body of a message of ours is nothing but a body.
  const read = readOurs(detail, origin) ?? readCloudEventIn(detail, origin) ?? readDetail(detail, id);
  // Rules select by the type of the event: what its detail says of a type passes none of them.
  return {
    ...read,
    type,
    sentAt: read.sentAt ?? asDate(time),
    replayName: asNonEmptyString(event['replay-name']),
  };
}

/** Ours have the id, and come from the endpoint that they name. */
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

/** Another account may use the source of an endpoint, and the id of a message of it, without asking this one. */
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
