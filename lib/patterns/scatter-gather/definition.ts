import type { StandardSchemaV1 } from '@standard-schema/spec';
import { assertKeyName } from '../../dynamodb/keys.ts';
import {
  aFunction,
  anyValue,
  aString,
  assertCheck,
  assertOptionKinds,
  objectOf,
  withMethods,
} from '../../kernel/checks/checks.ts';
import { type Duration, durationProblem, toMilliseconds } from '../../kernel/duration.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';
import type { Contract } from '../../messages/contracts/contract.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import type { EmbeddedOutbox } from '../../saga/definition/outbox-form.ts';
import { isTimeoutDelay, placeOf } from '../definition-checks.ts';
import { scatterGatherDefaults, scatterGatherLimits } from './limits.ts';
import { messageTypes } from './messages.ts';
import { heightOf } from './tree.ts';

/** What a request is sent with, and a reply must come back with. */
export interface RequestId {
  requestId: string;
}

/** The message types of a contract that a sender gives a `requestId`. */
export type RequestTypes<C extends Contract> = {
  [Type in keyof C['messages'] & string]: StandardSchemaV1.InferInput<C['messages'][Type]> extends RequestId
    ? Type
    : never;
}[keyof C['messages'] & string];

/** The replies of a contract that have a `requestId`. */
export type ReplyTypes<C extends Contract> = {
  [Type in keyof C['replies'] & string]: StandardSchemaV1.InferOutput<C['replies'][Type]> extends RequestId
    ? Type
    : never;
}[keyof C['replies'] & string];

type WithoutId<Body> = Body extends unknown ? Omit<Body, keyof RequestId> : never;

export type RequestBody<C extends Contract, Type extends string> = WithoutId<
  StandardSchemaV1.InferInput<C['messages'][Type]>
>;
export type ReplyBody<C extends Contract, Type extends string> = StandardSchemaV1.InferOutput<
  C['replies'][Type]
>;

/** A reply of a scatter-gather that keeps them all. */
export interface GatheredReply<Reply = unknown> {
  /** Of its request, from 0. */
  index: number;
  body: Reply;
}

/** How replies become one result. They arrive in any order, and so do the results of parts of them. */
export interface GatherFunctions<Reply, Result> {
  /** Of no replies. Makes a new value at each call. */
  initial: () => Result;
  /** With one more reply, to the request with that index. */
  add: (result: Result, reply: Reply, index: number) => Result;
  /** Of two parts of the requests. */
  merge: (one: Result, other: Result) => Result;
}

export interface ScatterGatherDefinition<
  Name extends string,
  Endpoint extends string,
  C extends Contract,
  Request extends RequestTypes<C>,
  Reply extends ReplyTypes<C>,
  Result,
> {
  /** Of its saga, and what the names of its messages begin with. */
  name: Name;
  /** The endpoint whose function has its saga. */
  endpoint: Endpoint;
  /** Of the endpoint that it asks. */
  asks: C;
  /** What it asks: a message type of that contract whose body has a `requestId`. */
  request: Request;
  /** What it is answered with: a reply of that contract whose body has the `requestId` of its request. */
  reply: Reply;
  /** How long a reply is awaited, from when its request is sent. Over 15 minutes it needs a scheduler. */
  timeout: Duration;
  /**
   * How many replies, or reports of parts, one saga gathers: 2 to 1,000.
   *
   * @default 32
   */
  width?: number;
  /**
   * How long a saga waits for the reports of its parts, beyond their own timeouts, for each level below it.
   *
   * @default { minutes: 1 }
   */
  grace?: Duration;
  /**
   * What becomes of the replies. The result travels in messages and is stored as state: plain JSON, of the size of one.
   *
   * @default - a list of all replies, by the index of their requests
   */
  gather?: GatherFunctions<ReplyBody<C, Reply>, Result>;
  /**
   * The endpoint that gets the result.
   *
   * @default - the one that started it
   */
  resultTo?: string;
  /** As of `defineSaga`. @default - outbox records */
  outbox?: EmbeddedOutbox | undefined;
  /** As of `defineSaga`. @default true */
  coalesce?: boolean;
}

const checks = {
  name: anyValue,
  endpoint: anyValue,
  asks: anyValue,
  request: anyValue,
  reply: anyValue,
  timeout: anyValue,
  width: anyValue,
  grace: anyValue,
  gather: objectOf({ initial: aFunction, add: aFunction, merge: aFunction }),
  resultTo: aString,
  outbox: anyValue,
  coalesce: anyValue,
} satisfies Record<keyof ScatterGatherDefinition<string, string, Contract, never, never, unknown>, unknown>;

/** A definition as its types do not know it: plain JavaScript may give anything. */
interface Given {
  readonly name: string;
  readonly endpoint: string;
  readonly asks: Contract;
  readonly request: string;
  readonly reply: string;
  readonly timeout: Duration;
  readonly width?: number;
  readonly grace?: Duration;
  readonly gather?: object;
}

/** @throws SagaboxError `Configuration` */
export function assertDefinition(definition: Given): void {
  const prefix = `${placeOf('scatterGather', definition)}: `;
  assertOptionKinds('scatterGather', definition, checks, { page: 'docs/guide/scatter-gather.md', prefix });
  const { name, endpoint, asks, request, reply, timeout } = definition;
  const { width = scatterGatherDefaults.width, grace = scatterGatherDefaults.grace, gather } = definition;
  assertKeyName('scatterGather: name', name);
  const of = `scatterGather '${name}'`;
  assertKeyName(`${of}: endpoint`, endpoint);
  if (Object(asks).kind !== 'contract') {
    throw configurationError(
      `${of}: asks`,
      `${describeValue(asks)} is no contract`,
      'Give one of defineContract',
    );
  }
  assertTypeOf(`${of}: request`, request, asks.messages, `the messages of contract '${asks.name}'`);
  assertTypeOf(`${of}: reply`, reply, asks.replies, `the replies of contract '${asks.name}'`);
  const own = Object.values<string>(messageTypes(name));
  if (own.includes(reply)) {
    const remedy = `Name the reply, or the scatter-gather, otherwise: its own messages are ${own.join(', ')}`;
    throw configurationError(`${of}: reply`, `'${reply}' is a message of the scatter-gather itself`, remedy);
  }
  const { minWidth, maxWidth } = scatterGatherLimits;
  if (!Number.isInteger(width) || width < minWidth || width > maxWidth) {
    const remedy = `Use a whole number from ${minWidth} to ${maxWidth}`;
    throw configurationError(`${of}: width`, `it is ${describeValue(width)}`, remedy);
  }
  for (const [setting, duration] of Object.entries({ timeout, grace })) {
    if (isTimeoutDelay(duration)) continue;
    const remedy = 'Use a duration over 0, up to a year, as in { minutes: 5 }';
    throw configurationError(
      `${of}: ${setting}`,
      durationProblem(duration) ?? `${describeValue(duration)} is no such duration`,
      remedy,
    );
  }
  const levels = heightOf(scatterGatherLimits.maxRequests, width);
  if (!isTimeoutDelay({ milliseconds: toMilliseconds(timeout) + levels * toMilliseconds(grace) })) {
    const problem = `with a grace for each of ${levels} levels it is over a year`;
    throw configurationError(`${of}: timeout`, problem, 'Make timeout or grace shorter');
  }
  if (gather === undefined) return;
  assertCheck(withMethods('initial', 'add', 'merge'), gather, `${of}: gather`);
}

function assertTypeOf(setting: string, type: unknown, schemas: MessageSchemas, where: string): void {
  if (typeof type === 'string' && Object.hasOwn(schemas, type)) return;
  const remedy = `Use one of ${Object.keys(schemas).join(', ') || 'them: there are none yet'}`;
  throw configurationError(setting, `${describeValue(type)} is none of ${where}`, remedy);
}
