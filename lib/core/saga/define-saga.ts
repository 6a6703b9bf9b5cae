import { trueOrFalse, withSettings } from '../checks/option-checks.ts';
import { configurationError, SagaboxError } from '../failures/errors.ts';
import { describeValue } from '../failures/thrown.ts';
import { assertFunctionPerType, assertMessages, assertSettings } from '../handlers/definition-checks.ts';
import type { SagaHandlerContext } from '../handlers/handler-context.ts';
import { whileRunning } from '../handlers/running-handlers.ts';
import {
  type BodyOf,
  forTypeOf,
  type MessageOf,
  type MessageSchemas,
  validateMessage,
} from '../handlers/schema.ts';
import type { IncomingMessage } from '../incoming/message.ts';
import { assertKeyName, type SagaIdentity } from '../storage/keys.ts';

export interface SagaDefinition<Schemas extends MessageSchemas, State extends object> {
  /** Part of the key of each saga: to rename a saga is to lose its instances. */
  name: string;
  /** A Standard Schema for each message type. */
  messages: Schemas;
  /** From a message to its correlation value: all messages with one value meet one saga. */
  correlate: {
    [Type in keyof Schemas & string]: (body: BodyOf<Schemas[Type]>) => string | number;
  };
  /** The message types that start a saga when there is none yet. */
  startedBy: readonly [keyof Schemas & string, ...(keyof Schemas & string)[]];
  /** Makes a new object at each call. */
  initialState: () => State;
  /**
   * Whether messages of one saga that are in one batch are committed together, up to ten at a time. If they
   * cannot be, their handlers and your own middlewares run again: see docs/guide/concurrency.md.
   *
   * @default true
   */
  coalesce?: boolean;
  /** How the state is stored. Each form is read whatever this says: it may change at any time. */
  state?: SagaStateOptions;
  handlers: {
    [Type in keyof Schemas & string]: (
      message: IncomingMessage<Type, BodyOf<Schemas[Type]>>,
      context: SagaHandlerContext<State>,
    ) => void | Promise<void>;
  };
}

const settings = {
  name: true,
  messages: true,
  correlate: true,
  startedBy: true,
  initialState: true,
  coalesce: true,
  state: true,
  handlers: true,
} satisfies Record<keyof SagaDefinition<MessageSchemas, object>, true>;

export interface SagaStateOptions {
  /**
   * Whether a state is stored compressed, where that saves a write unit: every 1 KB of the saga's item takes
   * one, or two in a transaction. Then neither the console nor an index can read it.
   *
   * @default false
   */
  compress?: boolean;
}

export interface CorrelatedMessage {
  readonly message: IncomingMessage;
  readonly identity: SagaIdentity;
  readonly starts: boolean;
}

/** What the flow needs to know of a saga, whatever its messages and its state are. */
export interface SagaRules {
  readonly kind: 'saga';
  readonly name: string;
  readonly messages: MessageSchemas;
  readonly initialState: () => unknown;
  readonly compressesState?: boolean;
  readonly correlate: (message: IncomingMessage) => Promise<CorrelatedMessage>;
  /** @default true */
  readonly coalesce?: boolean;
}

/** A long-running process, made by {@link defineSaga}. */
export interface SagaType<Schemas extends MessageSchemas, State> extends SagaRules {
  readonly messages: Schemas;
  readonly initialState: () => State;
  /** Calls the handler of one message's type, inside {@link sagaOutbox}. */
  readonly handler: (message: MessageOf<Schemas>, context: SagaHandlerContext<State>) => Promise<void>;
}

/**
 * A saga: state that several messages share, kept from the message that starts it until `saga.complete()`.
 *
 * @throws SagaboxError `Configuration` when the name cannot be part of a key, a message type lacks a
 *   function or a Standard Schema, or a setting is wrong or does not exist.
 * @example
 * ```ts
 * import { createHandler, defineSaga } from 'sagabox';
 * import * as v from 'valibot';
 *
 * export const orderSaga = defineSaga({
 *   name: 'OrderSaga',
 *   messages: {
 *     OrderPlaced: v.object({ orderId: v.string(), total: v.number() }),
 *     CardCharged: v.object({ orderId: v.string() }),
 *   },
 *   correlate: { OrderPlaced: (m) => m.orderId, CardCharged: (m) => m.orderId },
 *   startedBy: ['OrderPlaced'],
 *   initialState: () => ({ total: 0 }),
 *   handlers: {
 *     OrderPlaced(message, { saga, send }) {
 *       saga.state.total = message.body.total;
 *       send('billing', 'ChargeCard', message.body);
 *     },
 *     CardCharged(_message, { saga }) {
 *       saga.complete();
 *     },
 *   },
 * });
 *
 * export const handler = createHandler(orderSaga);
 * ```
 */
export function defineSaga<const Schemas extends MessageSchemas, State extends object>(
  definition: SagaDefinition<Schemas, State>,
): SagaType<Schemas, State> {
  const { name, messages, initialState } = Object(definition) as SagaDefinition<Schemas, State>;
  assertKeyName('defineSaga: name', name);
  assertMessages(`defineSaga '${name}'`, messages);
  assertSettings(`defineSaga '${name}'`, definition, settings);
  assertFunctionPerType(`defineSaga '${name}'`, messages, 'handlers', definition.handlers);
  assertFunctionPerType(`defineSaga '${name}'`, messages, 'correlate', definition.correlate);
  assertStarters(name, definition.startedBy, messages);
  assertFreshStates(name, initialState);
  assertCoalesce(name, definition.coalesce);
  assertStateOptions(name, definition.state);

  const correlate = definition.correlate as Record<string, (body: unknown) => unknown>;
  const handlers = definition.handlers as Record<string, (message: unknown, context: unknown) => unknown>;
  const startedBy = new Set<string>(definition.startedBy);
  return {
    kind: 'saga',
    name,
    messages,
    initialState,
    coalesce: definition.coalesce !== false,
    compressesState: definition.state?.compress === true,
    correlate: async (received) => {
      const message = await validateMessage(received, messages);
      const id = correlationValue(correlate[message.type]?.(message.body), message, name);
      return { message, identity: { name, id }, starts: startedBy.has(message.type) };
    },
    handler: async (message, context) => {
      if (context.saga?.name !== name) throw unwrappedSaga(name);
      const handle = forTypeOf(message, handlers);
      await whileRunning(context, () => handle(message, context));
    },
  };
}

function correlationValue(value: unknown, message: IncomingMessage, sagaName: string): string {
  const id = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  // An ill-formed one would be stored with replacement characters, and could meet another saga's key.
  if (typeof id === 'string' && id !== '' && id.isWellFormed()) return id;
  const facts = { messageId: message.id, messageType: message.type, sagaName };
  throw new SagaboxError('CorrelationMissing', facts);
}

function assertStarters(name: string, startedBy: readonly string[], messages: MessageSchemas): void {
  const starters = Array.isArray(startedBy) ? startedBy : [];
  const unknown = starters.filter((type) => !Object.hasOwn(messages, type));
  if (starters.length > 0 && unknown.length === 0) return;
  throw configurationError(
    `defineSaga '${name}': startedBy`,
    unknown.length > 0 ? `${unknown.join(', ')} is not in 'messages'` : 'no message type starts the saga',
    "Give an array of at least one type of 'messages'",
  );
}

/** One object for all sagas would carry the changes of one over to the next. */
function assertFreshStates(name: string, initialState: () => unknown): void {
  const setting = `defineSaga '${name}': initialState`;
  const example = 'as in () => ({ count: 0 })';
  if (typeof initialState !== 'function') {
    const remedy = `Give a function that returns a new object, ${example}`;
    throw configurationError(setting, `it is a value of type ${typeof initialState}`, remedy);
  }
  const [first, second] = [initialState(), initialState()];
  if (first !== second) return;
  const remedy = `Make the object inside of it, ${example}`;
  throw configurationError(setting, 'it returned the same object twice', remedy);
}

function assertStateOptions(name: string, options: unknown): void {
  const setting = `defineSaga '${name}': state`;
  const wrong = options === undefined ? undefined : withSettings({ compress: trueOrFalse })(options, setting);
  if (wrong)
    throw configurationError(wrong.setting, wrong.problem, 'Give { compress: true }, or leave it out');
}

function assertCoalesce(name: string, coalesce: unknown): void {
  if (coalesce === undefined || typeof coalesce === 'boolean') return;
  const setting = `defineSaga '${name}': coalesce`;
  throw configurationError(setting, `${describeValue(coalesce)} is not true or false`, 'Use true or false');
}

function unwrappedSaga(name: string): SagaboxError<'Configuration'> {
  return configurationError(
    `the handler of saga '${name}'`,
    'it was called without its saga, or with another one',
    'Wrap it: middy(saga.handler).use(sagaOutbox({ saga })), or use createHandler(saga)',
  );
}
