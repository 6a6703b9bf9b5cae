import type { Destination } from './destination.ts';
import { SagaboxError } from './errors.ts';
import { isGroupId } from './fifo.ts';
import { headerNames, OWN_HEADER_PREFIX } from './headers.ts';
import { utf8Bytes } from './item-size.ts';
import { limits } from './limits.ts';
import type { JsonValue, OutgoingMessage } from './message.ts';

/** The data type of every message attribute that sagabox sends; its bytes count too. */
export const ATTRIBUTE_DATA_TYPE = 'String';

/** What an outgoing message is on the wire: a JSON body, and the headers as message attributes. */
export function wireAttributes(message: OutgoingMessage): Record<string, string> {
  return {
    ...message.headers,
    [headerNames.messageId]: message.id,
    [headerNames.messageType]: message.type,
  };
}

/** Bytes that count against the limits of one message and of one batch: the body, and each attribute's name, type and value. */
export function wireBytes(message: OutgoingMessage): number {
  let bytes = utf8Bytes(JSON.stringify(message.body));
  for (const [name, value] of Object.entries(wireAttributes(message))) {
    bytes += utf8Bytes(name) + ATTRIBUTE_DATA_TYPE.length + utf8Bytes(value);
  }
  return bytes;
}

/** A copy of a body as JSON has it: what the handler does to its object afterwards changes nothing. */
export function detachBody(body: unknown, messageType: string, destination: string): JsonValue {
  let json: string | undefined;
  try {
    json = JSON.stringify(body);
  } catch (error) {
    throw refusal(messageType, destination, `its body is not JSON (${(error as Error).message})`, error);
  }
  if (json === undefined) throw refusal(messageType, destination, `its body is ${typeof body}, not JSON`);
  return JSON.parse(json);
}

/** Refuses what the queue would refuse, while the handler still runs. */
export function assertSendable(message: OutgoingMessage, destination: Destination): void {
  const refuse = (detail: string) => {
    throw refusal(message.type, destination.name, detail);
  };
  if (message.type === '') refuse('its type is empty');

  const attributes = Object.entries(wireAttributes(message));
  if (attributes.length > limits.messageAttributes) {
    refuse(
      `it has ${attributes.length} attributes, sagabox's own included, over the ${limits.messageAttributes} of SQS: pass fewer headers`,
    );
  }
  for (const [name, value] of attributes) {
    if (!isAttributeName(name)) refuse(`SQS takes no attribute named ${JSON.stringify(name)}`);
    if (typeof value !== 'string' || value === '') refuse(`the value of '${name}' is not a text, or empty`);
    if (!isSqsText(value)) refuse(`the value of '${name}' has characters that SQS does not take`);
  }
  if (!isSqsText(JSON.stringify(message.body))) refuse('its body has characters that SQS does not take');

  const bytes = wireBytes(message);
  if (bytes > limits.messageBytes) {
    refuse(
      `it takes ${bytes} bytes, over the ${limits.messageBytes} of SQS: store the data and send a reference to it`,
    );
  }
  assertDelay(message, destination, refuse);
  assertGroup(message, destination, refuse);
}

/** Headers of a user must not stand in for sagabox's own. */
export function assertUserHeaders(
  headers: Readonly<Record<string, string>>,
  messageType: string,
  destination: string,
): void {
  const reserved = Object.keys(headers).find((name) => name.startsWith(OWN_HEADER_PREFIX));
  if (reserved === undefined) return;
  throw refusal(
    messageType,
    destination,
    `headers that start with '${OWN_HEADER_PREFIX}' are reserved: rename '${reserved}'`,
  );
}

export function refusal(
  messageType: string,
  destination: string,
  detail: string,
  cause?: unknown,
): SagaboxError<'InvalidOutgoingMessage'> {
  return new SagaboxError('InvalidOutgoingMessage', { messageType, destination, detail }, { cause });
}

function assertDelay(
  message: OutgoingMessage,
  destination: Destination,
  refuse: (detail: string) => void,
): void {
  const { delaySeconds } = message;
  if (delaySeconds === undefined) return;
  if (!(delaySeconds >= 0)) refuse('its delay is negative or not a number');
  if (delaySeconds > limits.delaySeconds) {
    refuse(`its delay of ${delaySeconds} s is over the ${limits.delaySeconds} s of SQS`);
  }
  if (destination.fifo) refuse('a FIFO queue takes no delay of a single message');
}

function assertGroup(
  message: OutgoingMessage,
  destination: Destination,
  refuse: (detail: string) => void,
): void {
  if (destination.fifo && message.messageGroupId === undefined) {
    refuse("a FIFO queue needs a group: pass 'messageGroupId'");
  }
  if (message.messageGroupId !== undefined && !isGroupId(message.messageGroupId)) {
    refuse("its 'messageGroupId' is not 1 to 128 letters, digits and punctuation marks");
  }
}

/** Source: "Amazon SQS message metadata", on the names of message attributes. */
function isAttributeName(name: string): boolean {
  return /^(?!aws\.|amazon\.)(?!\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/i.test(name);
}

/** Source: "SendMessage" in the Amazon SQS API Reference, on the characters of a message. */
function isSqsText(text: string): boolean {
  return text.isWellFormed() && /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u.test(text);
}
