import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { CreateHandlerOptions, createHandler } from 'sagabox';

/** One design for high load: the same work done in two ways. */
export interface Design {
  /** As docs/guide/cost-and-scale.md has it. */
  readonly title: string;
  /** A cell of the guide's table: the situation in which to choose the design. */
  readonly when: string;
  /** A cell of the guide's table: the situation in which not to. */
  readonly notWhen: string;
  /** Messages of the work, before and after: what a design adds to them is part of what they cost. */
  readonly messages: { readonly full: number; readonly short: number };
  /** What there must be at the end, whichever way it was done. */
  readonly expected: (messages: number) => unknown;
  readonly before: Variant;
  readonly after: Variant;
}

export interface Variant {
  /** The cell of the table. */
  readonly label: string;
  /** By their names, which are destinations too. Called once for each instance of a function. */
  readonly endpoints: (resources: Resources) => Readonly<Record<string, Endpoint>>;
  /** Queues that nobody handles messages of, by the names of destinations. @default there are none */
  readonly sinks?: readonly string[];
  /** Each is sent when the one before is handled. */
  readonly phases: (messages: number) => Phases;
  /** Read when all messages are handled. */
  readonly outcome: (stored: Stored, messages: number) => Promise<unknown>;
  /** The type of the messages whose time is measured. @default all types */
  readonly timed?: string;
}

/** What `MessageEndpoint` would make of it, and the handler of its function. */
export interface Endpoint {
  readonly definitions: Parameters<typeof createHandler>[0];
  readonly options?: Pick<CreateHandlerOptions, 'locking' | 'recoverability' | 'concurrency' | 'sagaStore'>;
  readonly maxConcurrency: number;
  /** @default 10 */
  readonly batchSize?: number;
  /** @default false */
  readonly fifo?: boolean;
  /** @default 10 */
  readonly maxReceiveCount?: number;
}

export interface Phase {
  readonly messages: readonly Sent[];
  /** How many messages are handled, those that their handlers send included. */
  readonly handled: number;
}

export type Phases = readonly [Phase, ...Phase[]];

export interface Sent {
  /** The name of an endpoint. */
  readonly to: string;
  readonly type: string;
  readonly body: object;
  readonly messageGroupId?: string;
}

/** What an instance of a function has for itself. */
export interface Resources {
  /** A table of the user's, with the keys PK and SK. */
  readonly dataTable: string;
  /** Its calls are part of what the handlers cost. */
  readonly dynamoDBClient: DynamoDBClient;
}

/** What is there after a run. */
export interface Stored {
  /** Undefined if there is no such saga. */
  sagaState(name: string, id: string): Promise<unknown>;
  /** The items of the user's table. */
  dataItems(): Promise<readonly Record<string, unknown>[]>;
  /** The bodies of the messages in a sink. */
  bodiesIn(sink: string): Promise<readonly unknown[]>;
}

/** A message of one endpoint for each index. */
export function messagesTo(
  to: string,
  type: string,
  count: number,
  bodyOf: (index: number) => object,
): readonly Sent[] {
  return Array.from({ length: count }, (_, index) => ({ to, type, body: bodyOf(index) }));
}

/** All messages at once, none of which leads to others. */
export function onePhase(messages: readonly Sent[], handled = messages.length): Phases {
  return [{ messages, handled }];
}
