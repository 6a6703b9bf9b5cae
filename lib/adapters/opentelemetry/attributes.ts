import type { Attributes } from '@opentelemetry/api';
import type { SQSRecord } from 'aws-lambda';
import { deduplicationIdOf } from '../../core/incoming/envelope.ts';
import { headerNames } from '../../core/incoming/headers.ts';
import type { IncomingMessage, OutgoingMessage } from '../../core/incoming/message.ts';
import { queueArnOf, receiveCountOf } from '../../core/incoming/record-fields.ts';
import { addressOf, type Destination } from '../../core/outgoing/destination.ts';
import type { SessionRequest } from '../../core/session/session-request.ts';

/**
 * The version of "Semantic conventions for messaging spans" (OpenTelemetry) that names and attributes of spans
 * follow: those conventions are still in development. Other names of attributes start with `sagabox.`.
 */
export const SEMANTIC_CONVENTIONS_VERSION = '1.45.0';

/** EventBridge has no value of its own there. */
const systems = { queue: 'aws_sqs', topic: 'aws.sns', eventBus: 'aws.eventbridge' } as const;

export type Operation = 'create' | 'send' | 'process';

/** @param message undefined if it cannot be read: then the headers are what its attributes say */
export function processAttributes(
  record: SQSRecord,
  message: IncomingMessage | undefined,
  headers: Readonly<Record<string, string>>,
  endpoint: string | undefined,
): Attributes {
  const id = message?.id ?? deduplicationIdOf(record);
  return {
    ...operationAttributes('process'),
    'messaging.system': systems.queue,
    'messaging.destination.name': lastPart(queueArnOf(record)),
    'messaging.destination.template': endpoint,
    'messaging.message.id': id,
    'messaging.message.conversation_id': headers[headerNames.conversationId] ?? id,
    'sagabox.endpoint': endpoint,
    'sagabox.message.type': message?.type ?? headers[headerNames.messageType],
    'sagabox.message.receive_count': receiveCountOf(record),
  };
}

export function sessionAttributes({ id, type }: SessionRequest, endpoint: string): Attributes {
  return {
    'sagabox.endpoint': endpoint,
    'sagabox.message.type': type,
    'sagabox.session.id': id,
  };
}

export function sendAttributes(messages: readonly OutgoingMessage[], destination: Destination): Attributes {
  const [first] = messages;
  if (messages.length !== 1) return destinationAttributes(destination, messages.length);
  return {
    ...destinationAttributes(destination),
    'messaging.message.id': first?.id,
    'messaging.message.conversation_id': first?.headers[headerNames.conversationId],
    'sagabox.message.type': first?.type,
  };
}

/** @param messageCount of a batch */
export function destinationAttributes(destination: Destination, messageCount?: number): Attributes {
  const address = addressOf(destination);
  return {
    ...operationAttributes('send'),
    'messaging.system': systems[destination.kind],
    'messaging.destination.name': lastPart(address),
    'messaging.destination.template': destination.name,
    'messaging.batch.message_count': messageCount,
    ...(destination.kind === 'queue' && { 'aws.sqs.queue.url': address }),
    ...(destination.kind === 'topic' && { 'aws.sns.topic.arn': address }),
  };
}

export function operationAttributes(operation: Operation): Attributes {
  return { 'messaging.operation.name': operation, 'messaging.operation.type': operation };
}

/** What a span's name ends with: a name that is the same in all stages, else that of the queue. */
export function destinationOf(attributes: Attributes): string {
  const { 'messaging.destination.template': template, 'messaging.destination.name': name } = attributes;
  return String(template ?? name);
}

/** The name in a URL or an ARN. */
function lastPart(address: string | undefined): string | undefined {
  return address?.split(/[/:]/).at(-1);
}
