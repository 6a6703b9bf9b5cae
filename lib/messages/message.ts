import type { SQSRecord } from 'aws-lambda';
import { headerNames } from './headers.ts';

/** A message as a handler gets it. */
export interface IncomingMessage<Type extends string = string, Body = unknown> {
  /** The id that deduplication compares: the same for every copy of the message. */
  readonly id: string;
  readonly type: Type;
  readonly body: Body;
  /** The message attributes of type String. */
  readonly headers: Readonly<Record<string, string>>;
  /** The number of times that SQS delivered the message, this delivery included. */
  readonly receiveCount: number;
  readonly sentAt: Date;
  /** The record that SQS delivered. */
  readonly record: SQSRecord;
}

/** Returns a copy for users' code: a change to it reaches no other copy, except in its body. */
export function copyOf<M extends IncomingMessage>(message: M): M {
  return { ...message, headers: { ...message.headers } };
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** A message that a handler sent, as it is kept until it is dispatched. */
export interface OutgoingMessage {
  readonly id: string;
  /** A destination's name; its address is looked up when the message is dispatched. */
  readonly destination: string;
  readonly type: string;
  readonly body: JsonValue;
  readonly headers: Readonly<Record<string, string>>;
  /** The delay for which the queue itself keeps the message. */
  readonly delaySeconds?: number;
  /** The earliest time of delivery, in ISO 8601. Without `delaySeconds`, a schedule keeps the message. */
  readonly dueAt?: string;
  /** The message group, which FIFO queues and topics need. */
  readonly messageGroupId?: string;
  /** @default - the body as plain JSON */
  readonly format?: 'cloudevents';
  /** Set if the sender gave the message a `traceparent`, which no span of its creation replaces. */
  readonly hasCreationContext?: true;
}

/** A message on its way to its service. */
export interface DispatchedMessage extends OutgoingMessage {
  /** X-Ray's trace header, which SQS and EventBridge hand on beside the message. */
  readonly awsTraceHeader?: string;
}

/** Takes back a message that waits in a schedule. */
export interface ScheduleCancellation {
  readonly id: string;
  readonly cancels: string;
}

/** An operation of a committed handler, kept in its outbox record until it is dispatched. */
export type OutgoingOperation = OutgoingMessage | ScheduleCancellation;

/** Whether a schedule keeps the message until it is due. */
export function isScheduled({ dueAt, delaySeconds }: OutgoingMessage): boolean {
  return dueAt !== undefined && delaySeconds === undefined;
}

export function isCancellation(operation: OutgoingOperation): operation is ScheduleCancellation {
  return 'cancels' in operation;
}

/** Whether a saga sent the message to itself as a timeout. */
export function isTimeout(message: IncomingMessage): boolean {
  return message.headers[headerNames.timeout] === 'true';
}
