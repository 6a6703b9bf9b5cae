import type { SQSRecord } from 'aws-lambda';

/** A message as a handler gets it. */
export interface IncomingMessage<Type extends string = string, Body = unknown> {
  /** The same for every copy of the message: what deduplication goes by. */
  readonly id: string;
  readonly type: Type;
  readonly body: Body;
  /** The message attributes of type String. */
  readonly headers: Readonly<Record<string, string>>;
  /** How often SQS delivered it, this delivery included. */
  readonly receiveCount: number;
  readonly sentAt: Date;
  /** What SQS delivered. */
  readonly record: SQSRecord;
}

/** For users' code: what it does to the copy reaches no other one, but for its body. */
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
  /** The queue itself keeps it, for no longer than that. */
  readonly delaySeconds?: number;
  /** ISO 8601: not earlier. Without `delaySeconds` a schedule keeps it. */
  readonly dueAt?: string;
  /** FIFO queues and topics only. */
  readonly messageGroupId?: string;
  /** @default - the body as plain JSON */
  readonly format?: 'cloudevents';
  /** Its sender gave it a `traceparent`, which no span of its creation replaces. */
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

/** What a committed handler leaves to be done outside, kept in its outbox record until it is. */
export type OutgoingOperation = OutgoingMessage | ScheduleCancellation;

/** Whether a schedule keeps the message until it is due. */
export function isScheduled({ dueAt, delaySeconds }: OutgoingMessage): boolean {
  return dueAt !== undefined && delaySeconds === undefined;
}

export function isCancellation(operation: OutgoingOperation): operation is ScheduleCancellation {
  return 'cancels' in operation;
}
