import type { Attributes } from '@opentelemetry/api';
import type { SQSRecord } from 'aws-lambda';
import { cutToBytes } from '../kernel/errors/cut-to-bytes.ts';
import { addressOf, type Destination } from '../messages/destinations/destination.ts';
import { deduplicationIdOf } from '../messages/envelope.ts';
import { headerNames } from '../messages/headers.ts';
import type { IncomingMessage, OutgoingMessage } from '../messages/message.ts';
import { queueArnOf, receiveCountOf } from '../messages/record-fields.ts';
import type { TracedRequest } from '../sending/tracing.ts';

/**
 * The version of "Semantic conventions for messaging spans" (OpenTelemetry) that names and attributes of spans
 * follow: those conventions are still in development. Other names of attributes start with `sagabox.`.
 */
export const SEMANTIC_CONVENTIONS_VERSION = '1.45.0';

/** The messaging systems; the conventions have no value for EventBridge. */
const systems = { queue: 'aws.sqs', topic: 'aws.sns', eventBus: 'aws.eventbridge' } as const;

/** The longest value of an attribute: as long as the longest id of a message. */
const MAX_VALUE_BYTES = 2048;

/**
 * Cuts a value: a sender may fill a message with its type, and a collector that refuses a span of that size
 * drops all spans that came with it.
 */
export function bounded(value: string | undefined): string | undefined {
  return value === undefined ? undefined : cutToBytes(value, MAX_VALUE_BYTES);
}

type Operation = 'create' | 'send' | 'process';

/** @param message `undefined` if it cannot be read: the headers are then those of its attributes */
export function processAttributes(
  record: SQSRecord,
  message: IncomingMessage | undefined,
  headers: Readonly<Record<string, string>>,
  endpoint: string | undefined,
): Attributes {
  const id = message?.id ?? deduplicationIdOf(record);
  return {
    ...operationAttributes('process'),
    'messaging.system.name': systems.queue,
    'messaging.destination.name': lastPart(queueArnOf(record)),
    'messaging.destination.template': endpoint,
    'messaging.message.id': id,
    'messaging.message.conversation_id': bounded(headers[headerNames.conversationId]) ?? id,
    'sagabox.endpoint': endpoint,
    'sagabox.message.type': bounded(message?.type ?? headers[headerNames.messageType]),
    'sagabox.message.receive_count': receiveCountOf(record),
  };
}

export function sessionAttributes({ id, type }: TracedRequest, endpoint: string): Attributes {
  return {
    'sagabox.endpoint': endpoint,
    'sagabox.message.type': bounded(type),
    'sagabox.session.id': id,
  };
}

export function createAttributes(message: OutgoingMessage, destination: Destination): Attributes {
  return {
    ...operationAttributes('create'),
    ...destinationAttributes(destination),
    ...messageAttributes(message),
  };
}

/** Returns the attributes of a span that sends messages: those of a message only if it is sent alone. */
export function sendAttributes(messages: readonly OutgoingMessage[], destination: Destination): Attributes {
  const [first] = messages;
  return {
    ...operationAttributes('send'),
    ...destinationAttributes(destination),
    ...(first && messages.length === 1 ? messageAttributes(first) : batchAttributes(messages.length)),
  };
}

/** Returns the attributes of a span that begins before its messages are composed. */
export function produceAttributes(destination: Destination): Attributes {
  return { ...operationAttributes('send'), ...destinationAttributes(destination) };
}

export function messageAttributes({ id, type, headers }: OutgoingMessage): Attributes {
  return {
    'messaging.message.id': id,
    'messaging.message.conversation_id': bounded(headers[headerNames.conversationId]),
    'sagabox.message.type': bounded(type),
  };
}

export function batchAttributes(messageCount: number): Attributes {
  return { 'messaging.batch.message_count': messageCount };
}

function destinationAttributes(destination: Destination): Attributes {
  const address = addressOf(destination);
  return {
    'messaging.system.name': systems[destination.kind],
    'messaging.destination.name': lastPart(address),
    // A producer without a contract has no other name for its destination than the address.
    'messaging.destination.template': destination.name === address ? undefined : destination.name,
    ...(destination.kind === 'queue' && { 'aws.sqs.queue.url': address }),
    ...(destination.kind === 'topic' && { 'aws.sns.topic.arn': address }),
  };
}

function operationAttributes(operation: Operation): Attributes {
  return { 'messaging.operation.name': operation, 'messaging.operation.type': operation };
}

/**
 * Returns the name of a span by the conventions: the operation, with the destination's template, which is the
 * same in all stages, else its name.
 */
export function spanName(attributes: Attributes): string {
  const {
    'messaging.operation.name': operation,
    'messaging.destination.template': template,
    'messaging.destination.name': name,
  } = attributes;
  return `${operation} ${template ?? name}`;
}

/** Returns the name in a URL or an ARN. */
function lastPart(address: string | undefined): string | undefined {
  return address?.split(/[/:]/).at(-1);
}
