import { cutToBytes } from '../failures/cut-text.ts';
import { SagaboxError } from '../failures/errors.ts';
import { thrownText } from '../failures/thrown.ts';
import { headerNames, OWN_HEADER_PREFIX } from '../incoming/headers.ts';
import type { JsonValue, OutgoingMessage } from '../incoming/message.ts';
import { limits } from '../limits.ts';
import { utf8Bytes } from '../storage/item-size.ts';
import { isExtensionName, isReservedExtension } from '../wire-format/cloud-event.ts';
import { EVENT_HEADERS_PROPERTY } from '../wire-format/event-detail.ts';
import { isGroupId } from '../wire-format/group-id.ts';
import { isSqsText } from '../wire-format/sqs-text.ts';
import { wireAttributes, wireBody } from '../wire-format/wire.ts';
import { bodyJson } from './body-json.ts';
import { type Destination, isFifo } from './destination.ts';
import { needsClaimCheck, sizeProblem } from './message-size.ts';
import type { Sending } from './sending.ts';

/** Names that sagabox sets by itself, besides those with its prefix. */
const reservedHeaders: readonly string[] = [headerNames.contentType];

/** A copy of a body as JSON has it: what the handler does to its object afterwards changes nothing. */
export function detachBody(body: unknown, messageType: string, destination: string): JsonValue {
  const refuse = (detail: string, cause?: unknown): never => {
    throw refusal(messageType, destination, detail, cause);
  };
  const json = bodyJson(body, refuse);
  return json === undefined ? refuse('its body is undefined: send null, or an object') : JSON.parse(json);
}

/**
 * Options as they are now. They may throw while they are read, which is refused like all else that is wrong
 * with a message.
 */
export function detachOptions<Name extends string, Options extends { readonly [name in Name]?: unknown }>(
  options: Options | null | undefined,
  names: readonly Name[],
  messageType: string,
  destination: string,
): Pick<Options, Name> | Record<Name, undefined> {
  const refuse = (detail: string, cause?: unknown) => refusal(messageType, destination, detail, cause);
  let known: Pick<Options, Name>;
  let unknown: string | undefined;
  try {
    known = Object.fromEntries(names.map((name) => [name, copied(options?.[name])])) as Pick<Options, Name>;
    unknown = unknownName(options ?? {}, names);
  } catch (error) {
    throw refuse(`its options cannot be read (${thrownText(error)})`, error);
  }
  if (unknown === undefined) return known;
  throw refuse(`it has no option '${cutToBytes(unknown, MAX_NAME_BYTES)}' (known: ${names.join(', ')})`);
}

const MAX_NAME_BYTES = 64;

/** One that is undefined is none. */
function unknownName(options: object, names: readonly string[]): string | undefined {
  const [unknown] =
    Object.entries(options).find(([name, value]) => value !== undefined && !names.includes(name)) ?? [];
  return unknown;
}

function copied(option: unknown): unknown {
  return typeof option === 'object' && option !== null ? { ...option } : option;
}

/** Refuses what its transport would refuse, while the handler still runs. */
export function assertSendable(message: OutgoingMessage, destination: Destination, sending: Sending): void {
  const refuse = (detail: string) => {
    throw refusal(message.type, destination.name, detail);
  };
  if (message.type === '') refuse('its type is empty');
  assertAttributes(message, refuse);
  if (!isSqsText(wireBody(message))) refuse('its body has characters that SQS does not take');
  if (destination.kind === 'eventBus') assertEvent(message, refuse);
  assertGroup(message, destination, refuse);
  const { claimCheckThresholdBytes: thresholdBytes } = sending;
  if (thresholdBytes !== undefined && needsClaimCheck(message, destination, thresholdBytes)) {
    assertClaimSize(message, refuse);
    assertClaimOutlastsDelay(message, sending, refuse);
    assertSize(withReference(message), destination, refuse);
  } else assertSize(message, destination, refuse);
}

/** Headers of a user must not stand in for sagabox's own. */
export function assertUserHeaders(
  headers: Readonly<Record<string, string>>,
  messageType: string,
  destination: string,
): void {
  if (typeof headers !== 'object' || headers === null) {
    throw refusal(messageType, destination, 'its headers are no object of texts');
  }
  const reserved = Object.keys(headers).find(
    (name) => name.startsWith(OWN_HEADER_PREFIX) || reservedHeaders.includes(name.toLowerCase()),
  );
  if (reserved === undefined) return;
  throw refusal(
    messageType,
    destination,
    `headers that start with '${OWN_HEADER_PREFIX}', and ${reservedHeaders.join(', ')}, are reserved: rename '${reserved}'`,
  );
}

export function refusal(
  messageType: string,
  destination: string,
  detail: string,
  cause?: unknown,
): SagaboxError<'InvalidOutgoingMessage'> {
  const facts = { messageType: textOrKind(messageType), destination: textOrKind(destination), detail };
  return new SagaboxError('InvalidOutgoingMessage', facts, { cause });
}

export function textOrKind(value: unknown): string {
  return typeof value === 'string' ? value : `a value of type ${typeof value}`;
}

type Refuse = (detail: string) => void;

function assertAttributes(message: OutgoingMessage, refuse: Refuse): void {
  const attributes = wireAttributes(message);
  const names = Object.keys(attributes);
  if (names.length > limits.messageAttributes) {
    refuse(
      `it has ${names.length} attributes, sagabox's own included, over the ${limits.messageAttributes} of SQS: pass fewer headers`,
    );
  }
  for (const name of names) {
    const value = attributes[name] as string;
    if (message.format === 'cloudevents' && isReservedExtension(name)) {
      refuse(`the header '${name}' has the name of an extension attribute of sagabox: rename it`);
    }
    if (!isAttributeName(name)) refuse(`SQS takes no attribute named ${JSON.stringify(name)}`);
    if (typeof value !== 'string' || value === '') refuse(`the value of '${name}' is not a text, or empty`);
    if (!isSqsText(value)) refuse(`the value of '${name}' has characters that SQS does not take`);
  }
}

/** Source: "PutEventsRequestEntry" in the Amazon EventBridge API Reference. */
function assertEvent(message: OutgoingMessage, refuse: Refuse): void {
  const { type, body, format, headers } = message;
  if (type.length > 128) refuse('EventBridge takes no type of more than 128 characters');
  if (format === 'cloudevents') {
    const own = (name: string) => name.startsWith(OWN_HEADER_PREFIX) || isExtensionName(name);
    const lost = Object.keys(headers).find((name) => !own(name));
    if (lost)
      refuse(`CloudEvents takes no extension attribute named '${lost}': use small letters and digits`);
    return;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    refuse('the detail of an event is a JSON object, and its body is none');
  }
  if (Object.hasOwn(body as object, EVENT_HEADERS_PROPERTY)) {
    refuse(`its body has a property '${EVENT_HEADERS_PROPERTY}', where the headers of an event go`);
  }
}

function assertSize(message: OutgoingMessage, destination: Destination, refuse: Refuse): void {
  const problem = sizeProblem(message, destination);
  if (problem !== undefined) refuse(problem);
}

/** The longest that a reference and its header can be. */
const MAX_CLAIM_KEY = 'x'.repeat(512);

/** As the message travels when its body is stored in the bucket: its headers count in any case. */
function withReference(message: OutgoingMessage): OutgoingMessage {
  return {
    ...message,
    body: { claimCheck: `s3://${MAX_CLAIM_KEY}`, bytes: limits.claimCheckBytes },
    headers: { ...message.headers, [headerNames.claimCheck]: MAX_CLAIM_KEY },
  };
}

function assertClaimSize({ body }: OutgoingMessage, refuse: Refuse): void {
  const bytes = utf8Bytes(JSON.stringify(body));
  if (bytes > limits.claimCheckBytes) refuse(claimCheckSizeProblem(bytes));
}

export function claimCheckSizeProblem(bytes: number): string {
  return `its body takes ${bytes} bytes, over the ${limits.claimCheckBytes} of a claim check: store the data and send a reference to it`;
}

/** The bucket would remove the body before its message is due. */
function assertClaimOutlastsDelay(
  { dueAt, headers }: OutgoingMessage,
  sending: Sending,
  refuse: Refuse,
): void {
  const { claimCheckRetentionSeconds } = sending;
  if (dueAt === undefined || claimCheckRetentionSeconds === undefined) return;
  const sentAt = headers[headerNames.sentAt] ?? '';
  // Due times are rounded up to whole seconds.
  const delaySeconds = Math.floor((Date.parse(dueAt) - Date.parse(sentAt)) / 1000);
  if (!(delaySeconds > claimCheckRetentionSeconds)) return;
  refuse(
    `its delay of ${delaySeconds} s is longer than the ${claimCheckRetentionSeconds} s for which the claim check bucket keeps its body: ` +
      "shorten the delay, or give the bucket a longer 'retention'",
  );
}

function assertGroup(message: OutgoingMessage, destination: Destination, refuse: Refuse): void {
  if (isFifo(destination) && message.messageGroupId === undefined) {
    refuse(`a FIFO ${destination.kind} needs a group: pass 'messageGroupId'`);
  }
  if (message.messageGroupId !== undefined && !isGroupId(message.messageGroupId)) {
    refuse("its 'messageGroupId' is not 1 to 128 letters, digits and punctuation marks");
  }
}

/** Source: "Amazon SQS message metadata", on the names of message attributes. */
function isAttributeName(name: string): boolean {
  return /^(?!aws\.|amazon\.)(?!\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i.test(name);
}
