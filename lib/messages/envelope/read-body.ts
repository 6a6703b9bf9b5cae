import { parseExactly } from '../../kernel/exact-json.ts';
import { CLOUD_EVENTS_CONTENT_TYPE, headerNames } from '../headers.ts';
import { isBodyInS3 } from './body-in-s3.ts';
import { compoundId } from './compound-id.ts';
import { asDate } from './json-values.ts';
import { unfoldHeaders } from './message-headers.ts';
import { readCloudEvent } from './read-cloud-event.ts';
import { readEventBridgeEvent } from './read-event-bridge-event.ts';
import { type MessageHeaders, mergeHeaders, noHeaders, type Reading, Unreadable } from './reading.ts';
import { type Notification, unwrapNotification } from './unwrap-notification.ts';

/** The carrier of a body: a record, or a notification in one. */
interface Carrier {
  readonly attributes: MessageHeaders;
  /** Returns the queue's account, which few formats ask for; `undefined` when its record does not tell. */
  readonly account: () => string | undefined;
}

/** Reads a body by its format; the attributes that it came with take precedence over its contents. */
export function readBody(body: string, carrier: Carrier): Reading {
  return read(body, carrier, readAnyForeign);
}

type ReadForeign = (value: unknown, carrier: Carrier) => Reading | undefined;

function read(body: string, carrier: Carrier, readForeign: ReadForeign): Reading {
  return labelled(readUnlabelled(body, carrier, readForeign), carrier.attributes);
}

function readUnlabelled(body: string, carrier: Carrier, readForeign: ReadForeign): Reading {
  const { attributes } = carrier;
  let value: unknown;
  try {
    value = parseExactly(body);
  } catch (error) {
    return unreadable(`its body is not JSON (${(error as Error).message})`, { cause: error });
  }
  if (isBodyInS3(value, attributes)) {
    return unreadable('its body is in S3, where the extended client of Amazon has stored it', {
      remedy:
        "Read its place with the option 'parse', as docs/guide/messaging.md shows, or send it with sagabox, " +
        'which has a claim check for large bodies',
    });
  }
  if (isLabelledCloudEvent(attributes)) {
    const event = readCloudEvent(value, {
      // The headers of an event are attributes too: without a type among them, the event is not sagabox's.
      mayBeOurs: Boolean(attributes[headerNames.messageType]),
      idOf: compoundId,
    });
    return event ?? unreadable('its content-type says CloudEvents 1.0, and its body is none');
  }
  // With our own attributes, a body is never taken for an envelope, whatever it looks like.
  const foreign = attributes[headerNames.messageType] ? undefined : readForeign(value, carrier);
  return foreign ?? { headers: noHeaders, body: () => value };
}

function readAnyForeign(value: unknown, carrier: Carrier): Reading | undefined {
  const event = readEvent(value, carrier);
  if (event !== undefined) return event;
  const notification = unwrapNotification(value);
  return notification && readNotification(notification, carrier);
}

/** Reads the message of a notification. No topic subscribes to another: a notification in it is a body. */
function readNotification(
  { id, account, topic, headers, sentAt, message }: Notification,
  carrier: Carrier,
): Reading {
  const attributes = unfoldHeaders(mergeHeaders(headers, carrier.attributes));
  const inner = read(message, { ...carrier, attributes }, readEvent);
  const ownAccount = carrier.account();
  const isOtherAccount = ownAccount !== undefined && account !== ownAccount;
  const said = inner.id ?? id;
  // A publisher in another account chooses ids without asking this account: they must not meet its own ids.
  return {
    ...inner,
    id: isOtherAccount ? compoundId(account, topic, said) : said,
    sentAt: inner.sentAt ?? sentAt,
  };
}

/** Reads an event. A CloudEvent that names sagabox as its source is not believed: its own has attributes. */
function readEvent(value: unknown, { account }: Carrier): Reading | undefined {
  return (
    readCloudEvent(value, { mayBeOurs: false, idOf: compoundId }) ?? readEventBridgeEvent(value, account())
  );
}

/** Adds attributes to a reading, over what its format says. */
export function labelled<R extends Omit<Reading, 'body'>>(reading: R, attributes: MessageHeaders): R {
  const headers = reading.headers === noHeaders ? attributes : mergeHeaders(reading.headers, attributes);
  return {
    ...reading,
    headers,
    id: attributes[headerNames.messageId] || reading.id,
    type: attributes[headerNames.messageType] || reading.type,
    sentAt: asDate(headers[headerNames.sentAt]) ?? reading.sentAt,
  };
}

function isLabelledCloudEvent(attributes: MessageHeaders): boolean {
  return attributes[headerNames.contentType]?.toLowerCase().startsWith(CLOUD_EVENTS_CONTENT_TYPE) ?? false;
}

function unreadable(problem: string, more?: ConstructorParameters<typeof Unreadable>[1]): Reading {
  const body = () => {
    throw new Unreadable(problem, more);
  };
  return { headers: noHeaders, body };
}
