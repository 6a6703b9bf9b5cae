import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Duration } from '../../kernel/duration.ts';
import type { IncomingMessage, OutgoingMessage } from '../../messages/message.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import type { RequestedTimeout } from '../delivery-result.ts';
import type { SessionResult } from '../session/session-runner.ts';
import type { UnevaluatedCondition } from '../tables/test-tables.ts';
import type { AppEndpoint, AppSession } from './app-options.ts';
import type { AppDelivery, FailedMessage } from './endpoint-in-app.ts';

/** The message schemas of what an endpoint handles; a union for several definitions. */
type SchemasOf<Handles> = Handles extends readonly (infer One)[]
  ? SchemasOf<One>
  : Handles extends { readonly messages: infer Schemas extends MessageSchemas }
    ? Schemas
    : never;
type Part = AppEndpoint | AppSession;
type EndpointsOf<Parts extends readonly Part[]> = Exclude<Parts[number], { readonly session: unknown }>;
type EndpointNames<Parts extends readonly Part[]> = EndpointsOf<Parts>['endpoint'];
type SchemasAt<Parts extends readonly Part[], Name> = SchemasOf<
  Extract<EndpointsOf<Parts>, { readonly endpoint: Name; readonly handles: unknown }>['handles']
>;
type SessionsOf<Parts extends readonly Part[]> = Extract<Parts[number], { readonly session: unknown }>;
type SessionAt<Parts extends readonly Part[], Name> = Extract<
  SessionsOf<Parts>,
  { readonly endpoint: Name }
>['session'];
type EventOf<Session> = Session extends (event: infer Event, ...others: never) => unknown ? Event : never;
type ResponseOf<Session> = Session extends (...parameters: never) => infer Response
  ? Awaited<Response>
  : never;
type TypesOf<Schemas> = Schemas extends MessageSchemas ? keyof Schemas & string : never;
type InputOf<Schemas, Type extends string> =
  Schemas extends Readonly<Record<Type, infer Schema extends StandardSchemaV1>>
    ? StandardSchemaV1.InferInput<Schema>
    : never;

/** What a message of the test is sent with. */
export interface AppSendOptions {
  /** @default 'message-1', 'message-2' and so on */
  id?: string;
  /** Message attributes. @default none besides those of sagabox */
  headers?: Readonly<Record<string, string>>;
  /** The endpoint, or destination, that `reply` sends to. @default 'sender' */
  replyTo?: string;
  /** @default none */
  delay?: Duration;
  /** Of a FIFO queue. @default a group of its own */
  messageGroupId?: string;
}

/** Which messages of an endpoint are meant. */
export interface MessageFilter {
  readonly type?: string;
  readonly id?: string;
}

/** How messages are made to fail. */
export interface FailureOptions {
  /** Attempts that fail. @default 1 */
  times?: number;
  /** What the handler throws. @default an error that says that the test asked for it */
  error?: unknown;
}

/** What an endpoint of a {@link TestApp} has done so far. */
export interface AppEndpointView {
  /** Everything that it sent, timeouts apart. */
  readonly outgoing: readonly OutgoingMessage[];
  /** Messages to itself that wait, the earliest first. */
  readonly timeouts: readonly RequestedTimeout[];
  /** The writes of `transaction.add` that were committed. */
  readonly transactionItems: readonly TransactWriteItem[];
  /** The messages that found no saga and start none. */
  readonly discarded: readonly IncomingMessage[];
  readonly errorQueue: readonly FailedMessage[];
}

/** Several endpoints in memory, made by `testApp`. */
export interface TestApp<Endpoints extends readonly (AppEndpoint | AppSession)[]> {
  /** It moves with `advance`, and with retries. */
  readonly now: Date;
  /**
   * Puts a message into the queue of an endpoint. It is delivered with the next `deliverAll` or `advance`.
   *
   * @returns its id
   * @throws SagaboxError `Configuration` for an endpoint or options that do not exist
   */
  send<Name extends EndpointNames<Endpoints>, Type extends TypesOf<SchemasAt<Endpoints, Name>>>(
    endpoint: Name,
    type: Type,
    body: InputOf<SchemasAt<Endpoints, Name>, Type>,
    options?: AppSendOptions,
  ): string;
  /**
   * Publishes a message on a topic or event bus, to all endpoints that subscribe to it.
   *
   * @returns its id
   * @throws SagaboxError `Configuration` for a topic that no endpoint publishes or subscribes to
   */
  publish(
    topic: string,
    type: string,
    body: unknown,
    options?: Pick<AppSendOptions, 'id' | 'headers'>,
  ): string;
  /**
   * Runs the handler of a session with an event, as Lambda does. What it sends is delivered with the next
   * `deliverAll` or `advance`.
   *
   * @throws what the session throws, as of `testSession`; SagaboxError `Configuration` for a session that does not
   *   exist
   */
  run<Name extends SessionsOf<Endpoints>['endpoint']>(
    endpoint: Name,
    event: EventOf<SessionAt<Endpoints, Name>>,
  ): Promise<SessionResult<ResponseOf<SessionAt<Endpoints, Name>>>>;
  /**
   * Delivers all messages, and those that their handlers send, until none is left but delayed ones. A message
   * that fails is delivered again as recoverability says; the clock moves on by its delays.
   *
   * @returns each delivery, in the order in which they ended
   * @throws SagaboxError `MessageFailed` when a message goes to an error queue that was not meant to, with the
   *   error of its handler as `cause`; `NeverQuiet` after `maxDeliveries`
   */
  deliverAll(): Promise<readonly AppDelivery[]>;
  /**
   * Moves time, and delivers what comes due on the way: timeouts and delayed messages.
   *
   * @throws SagaboxError `Configuration` for a negative duration, else as `deliverAll`
   */
  advance(duration: Duration): Promise<readonly AppDelivery[]>;
  /**
   * Makes the handler of a message type fail at its next attempts. Such a message may end in the error queue.
   *
   * @throws SagaboxError `Configuration` for a type that the endpoint does not take
   */
  fail<Name extends EndpointNames<Endpoints>>(
    endpoint: Name,
    type: TypesOf<SchemasAt<Endpoints, Name>>,
    options?: FailureOptions,
  ): void;
  /**
   * Delivers messages once more that were delivered before, as SQS may do.
   *
   * @returns how many
   * @throws SagaboxError `Configuration` if there is none
   */
  redeliver(endpoint: EndpointNames<Endpoints>, which?: MessageFilter): number;
  /**
   * Moves messages from an error queue back to the queue of their endpoint, as `sagabox redrive` does.
   *
   * @returns how many
   */
  redrive(endpoint: EndpointNames<Endpoints>, which?: MessageFilter): number;
  /** What one endpoint, or session, has done so far. */
  endpoint(name: Endpoints[number]['endpoint']): AppEndpointView;
  /** What is in a table of the test's `tables`. @throws SagaboxError `Configuration` for another one */
  items(tableName: string): readonly Readonly<Record<string, AttributeValue>>[];
  /** Conditions of `transaction.add` that were taken to hold, because their table is not among the `tables`. */
  readonly unevaluatedConditions: readonly UnevaluatedCondition[];
  /** What was sent to a queue outside of the app. */
  sentTo(destination: string): readonly OutgoingMessage[];
  /** The state as it is stored; undefined if there is no such saga, or no longer. */
  state<State>(saga: SagaOf<State>, sagaId: string | number): State | undefined;
  /** Whether a saga was there and has ended. */
  isCompleted(saga: SagaOf<unknown>, sagaId: string | number): boolean;
}

/** What `defineSaga` returns, as far as its state goes. */
export interface SagaOf<State> {
  readonly kind: 'saga';
  readonly name: string;
  readonly initialState: () => State;
}
