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

/** A JSON value, detached from what the handler passed. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** A message that a handler sent, as it is kept until it is dispatched. */
export interface OutgoingMessage {
  readonly id: string;
  /** A destination's name; its address is looked up when the message is dispatched. */
  readonly destination: string;
  readonly type: string;
  readonly body: JsonValue;
  readonly headers: Readonly<Record<string, string>>;
  readonly delaySeconds?: number;
  /** FIFO queues only. */
  readonly messageGroupId?: string;
}
