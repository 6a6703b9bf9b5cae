import { utf8Bytes } from '../dynamodb/item-size.ts';
import { cutToBytes } from '../kernel/errors/cut-to-bytes.ts';
import { describeValue, thrownMessage } from '../kernel/errors/thrown.ts';
import { limits } from '../kernel/limits.ts';
import { isJsonObject, isLiteral, kindOf } from '../kernel/values/value-kind.ts';
import { pathTo, placeOf } from '../kernel/values/value-place.ts';
import type { Refuse } from '../messages/contracts/refusal.ts';
import { type Destination, isFifo } from '../messages/destinations/destination.ts';
import { headerNames, OWN_HEADER_PREFIX } from '../messages/headers.ts';
import type { JsonValue, OutgoingMessage } from '../messages/message.ts';
import { isExtensionName, isReservedExtension } from '../messages/wire-format/cloud-event.ts';
import { EVENT_HEADERS_PROPERTY } from '../messages/wire-format/event-detail.ts';
import { isGroupId } from '../messages/wire-format/group-id.ts';
import { refusedCharacter } from '../messages/wire-format/sqs-characters.ts';
import { wireAttributes } from '../messages/wire-format/wire.ts';
import { wireJson } from '../messages/wire-format/wire-json.ts';
import { bodyJson } from './body-json.ts';
import { needsClaimCheck, sizeProblem } from './message-size.ts';
import type { Sending } from './sending.ts';

/** Returns a copy of a body as JSON has it: later changes that the handler makes do not show. */
export function detachBody(body: unknown, refuse: Refuse): JsonValue {
  const json = bodyJson(body, refuse);
  return json === undefined ? refuse('its body is undefined: send null, or an object') : JSON.parse(json);
}

/** Returns options as they are now. Options that throw while they are read are refused. */
export function detachOptions<Name extends string, Options extends { readonly [name in Name]?: unknown }>(
  options: Options | null | undefined,
  names: readonly Name[],
  refuse: Refuse,
): Pick<Options, Name> | Record<Name, undefined> {
  let known: Pick<Options, Name>;
  let unknown: string | undefined;
  try {
    known = Object.fromEntries(names.map((name) => [name, copied(options?.[name])])) as Pick<Options, Name>;
    unknown = unknownName(options ?? {}, names);
  } catch (error) {
    return refuse(`its options cannot be read (${thrownMessage(error)})`, error);
  }
  if (!areOptions(options, known)) refuse(`its options are ${kindOf(options)}: give an object of them`);
  if (unknown === undefined) return known;
  return refuse(`it has no option '${cutToBytes(unknown, MAX_NAME_BYTES)}' (known: ${names.join(', ')})`);
}

const MAX_NAME_BYTES = 64;

/** Whether a value has options. A class instance may have getters for them; a map or a number has none. */
function areOptions(options: unknown, known: object): boolean {
  if (options === undefined || options === null) return true;
  if (!isJsonObject(options)) return false;
  return isLiteral(options) || Object.values(known).some((option) => option !== undefined);
}

/** Returns the name of an unknown option, unless that is undefined. */
function unknownName(options: object, names: readonly string[]): string | undefined {
  const isUnknown = ([name, value]: [string, unknown]) => value !== undefined && !names.includes(name);
  return Object.entries(options).find(isUnknown)?.[0];
}

/** Copies an option, unless that loses its contents, as of a `Temporal.Duration` or a `Map` of headers. */
function copied(option: unknown): unknown {
  return isJsonObject(option) && Object.keys(option).length > 0 ? { ...option } : option;
}

/** Refuses headers of a user that would stand in for sagabox's own. */
export function assertUserHeaders(headers: Readonly<Record<string, string>>, refuse: Refuse): void {
  if (!isJsonObject(headers) || !(isLiteral(headers) || Object.keys(headers).length > 0)) {
    refuse(`its headers are ${kindOf(headers)}, not an object of strings`);
  }
  const { contentType } = headerNames;
  const isReserved = (name: string) =>
    name.startsWith(OWN_HEADER_PREFIX) || name.toLowerCase() === contentType;
  const reserved = Object.keys(headers).find(isReserved);
  if (reserved === undefined) return;
  refuse(
    `headers that start with '${OWN_HEADER_PREFIX}', and ${contentType}, are reserved: rename '${reserved}'`,
  );
}

/** Refuses a message that its transport would refuse, while the handler still runs. */
export function assertSendable(
  message: OutgoingMessage,
  destination: Destination,
  sending: Sending,
  refuse: Refuse,
): void {
  if (message.type === '') refuse('its type is empty');
  assertAttributes(message, refuse);
  if (destination.kind === 'eventBus') assertEvent(message, refuse);
  assertGroup(message, destination, refuse);
  const { claimCheckThresholdBytes: thresholdBytes } = sending;
  const isChecked = thresholdBytes !== undefined && needsClaimCheck(message, destination, thresholdBytes);
  if (isChecked) {
    assertClaimSize(message, refuse);
    assertClaimOutlastsDelay(message, sending, refuse);
  }
  const problem = sizeProblem(isChecked ? withReference(message) : message, destination, sending.remedies);
  if (problem !== undefined) refuse(problem);
}

function assertAttributes(message: OutgoingMessage, refuse: Refuse): void {
  const attributes = wireAttributes(message);
  const names = Object.keys(attributes);
  if (names.length > limits.messageAttributes) {
    refuse(
      `it has ${names.length} attributes, sagabox's own included, ` +
        `over the ${limits.messageAttributes} of SQS: pass fewer headers`,
    );
  }
  for (const name of names) {
    const value: unknown = attributes[name];
    if (message.format === 'cloudevents' && isReservedExtension(name)) {
      refuse(`the header '${name}' has the name of an extension attribute of sagabox: rename it`);
    }
    if (!isAttributeName(name)) refuse(`SQS takes no attribute named ${JSON.stringify(name)}`);
    if (typeof value === 'number') {
      refuse(
        `the value of '${name}' is a number, and headers are strings: pass String(…). ` +
          'To filter by numbers, publish on an event bus, whose rules compare those in the body',
      );
    }
    if (typeof value !== 'string' || value === '') refuse(`the value of '${name}' is not a string, or empty`);
    assertCharacters(name, value, refuse);
  }
}

/** Returns the name of an attribute as its sender knows it. */
function placeOfAttribute(name: string): string {
  return name === headerNames.messageType ? 'its type' : pathTo(name, placeOf({}, 'headers', undefined));
}

/** Refuses characters that SQS does not take: outside of JSON, none can be escaped. */
function assertCharacters(attribute: string, value: string, refuse: Refuse): void {
  const character = refusedCharacter(value);
  if (character === undefined) return;
  refuse(
    `${placeOfAttribute(attribute)} has ${character}, which SQS does not take: leave it out, encode it, or put it into the body`,
  );
}

/** Source: "Amazon SQS message metadata", on the names of message attributes. */
function isAttributeName(name: string): boolean {
  return /^(?!aws\.|amazon\.)(?!\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i.test(name);
}

/** Source: "PutEventsRequestEntry" in the Amazon EventBridge API Reference. */
function assertEvent({ type, body, format, headers }: OutgoingMessage, refuse: Refuse): void {
  if (type.length > 128) refuse('EventBridge takes no type of more than 128 characters');
  if (format === 'cloudevents') {
    const own = (name: string) => name.startsWith(OWN_HEADER_PREFIX) || isExtensionName(name);
    const lost = Object.keys(headers).find((name) => !own(name));
    if (lost)
      refuse(`CloudEvents takes no extension attribute named '${lost}': use small letters and digits`);
    return;
  }
  if (!isJsonObject(body)) refuse('the detail of an event is a JSON object, and its body is none');
  if (Object.hasOwn(body, EVENT_HEADERS_PROPERTY)) {
    refuse(`its body has a property '${EVENT_HEADERS_PROPERTY}', where the headers of an event go`);
  }
}

function assertGroup({ messageGroupId }: OutgoingMessage, destination: Destination, refuse: Refuse): void {
  if (isFifo(destination) && messageGroupId === undefined) {
    refuse(`a FIFO ${destination.kind} needs a group: pass 'messageGroupId'`);
  }
  if (messageGroupId !== undefined && !isGroupId(messageGroupId)) {
    refuse(
      `its 'messageGroupId' is ${cutToBytes(describeValue(messageGroupId), MAX_NAME_BYTES)}: use 1 to 128 ASCII letters, digits and ` +
        'punctuation marks',
    );
  }
}

export function assertClaimSize({ body }: OutgoingMessage, refuse: Refuse): void {
  const bytes = utf8Bytes(wireJson(body));
  if (bytes <= limits.claimCheckBytes) return;
  refuse(
    `its body takes ${bytes} bytes, over the ${limits.claimCheckBytes} of a claim check: ` +
      'store the data and send a reference to it',
  );
}

/** Refuses a delay after which the bucket would have removed the body. */
function assertClaimOutlastsDelay(
  { dueAt, headers }: OutgoingMessage,
  { claimCheckRetentionSeconds: retentionSeconds = Number.POSITIVE_INFINITY }: Sending,
  refuse: Refuse,
): void {
  if (dueAt === undefined) return;
  const sentAt = headers[headerNames.sentAt] ?? '';
  // Due times are rounded up to whole seconds.
  const delaySeconds = Math.floor((Date.parse(dueAt) - Date.parse(sentAt)) / 1000);
  if (!(delaySeconds > retentionSeconds)) return;
  refuse(
    `its delay of ${delaySeconds} s is longer than the ${retentionSeconds} s for which the claim check ` +
      "bucket keeps its body: shorten the delay, or give the bucket a longer 'retention'",
  );
}

/** The longest key in a reference and its header. */
const MAX_CLAIM_KEY = 'x'.repeat(512);

/** Returns a message as it is sent when its body is in the bucket: its headers count in any case. */
function withReference(message: OutgoingMessage): OutgoingMessage {
  return {
    ...message,
    body: { claimCheck: `s3://${MAX_CLAIM_KEY}`, bytes: limits.claimCheckBytes },
    headers: { ...message.headers, [headerNames.claimCheck]: MAX_CLAIM_KEY },
  };
}
