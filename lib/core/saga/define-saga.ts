import type { StandardSchemaV1 } from '@standard-schema/spec';
import { trueOrFalse, withSettings } from '../checks/option-checks.ts';
import type { Contract, SenderContracts } from '../contracts/contract.ts';
import {
  checksOf,
  giveChecks,
  type ListedBySaga,
  type ListedContracts,
  listedBy,
  listSettings,
} from '../contracts/listed-contracts.ts';
import { configurationError, SagaboxError } from '../failures/errors.ts';
import { describeValue } from '../failures/thrown.ts';
import { assertFunctionPerType, assertMessages, assertSettings } from '../handlers/definition-checks.ts';
import type { DefinedSagaHandlerContext, SagaHandlerContext } from '../handlers/handler-context.ts';
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
import { assertStateRules } from './state-rules-checks.ts';
import { currentStateVersion, type StateMigrations, type StateRules } from './state-versions.ts';

export interface SagaDefinition<
  Schemas extends MessageSchemas,
  State,
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
  Replies extends readonly Contract[],
> extends ListedContracts<Sends, Publishes, Replies> {
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
  /** Makes a new object at each call. The state has its type, unless `stateSchema` says it. */
  initialState: () => State & object;
  /**
   * A Standard Schema that each state is validated by when it is read, and before it is stored. A handler gets
   * what it returns, so that it can add defaults, and it must accept what it returns.
   *
   * @default - states are not validated
   */
  stateSchema?: StandardSchemaV1<unknown, State>;
  /**
   * How a stored state of an earlier version becomes one of the next, by its version: `{ 1: (old) => … }` is
   * from the first one to version 2. New states have one version more than the last of them. States without a
   * version, from before the first migration, have version 1.
   */
  migrate?: StateMigrations;
  /**
   * Whether messages of one saga that are in one batch are committed together, up to ten at a time. If they
   * cannot be, their handlers and your own middlewares run again: see docs/guide/concurrency.md.
   *
   * @default true
   */
  coalesce?: boolean;
  /**
   * Where the saga keeps what is to be sent, and which messages it has handled: in outbox records beside its item,
   * or embedded in the item itself, which takes fewer write units while the item is small. See
   * docs/guide/embedded-outbox.md for when to choose which, and for how to change a saga that has instances, by way
   * of 'both'.
   *
   * @default 'records'
   */
  outbox?: SagaOutboxForm;
  /** How the state is stored. Each form is read whatever this says: it may change at any time. */
  state?: SagaStateOptions;
  handlers: {
    [Type in keyof Schemas & string]: (
      message: IncomingMessage<Type, BodyOf<Schemas[Type]>>,
      context: DefinedSagaHandlerContext<State, ListedBySaga<Schemas, Sends, Publishes, Replies>>,
    ) => void | Promise<void>;
  };
}

const settings = {
  name: true,
  messages: true,
  correlate: true,
  startedBy: true,
  initialState: true,
  stateSchema: true,
  migrate: true,
  coalesce: true,
  outbox: true,
  state: true,
  handlers: true,
  ...listSettings,
} satisfies Record<keyof SagaDefinition<MessageSchemas, object, [], [], []>, true>;

/**
 * `records`: an outbox record for each message. `embedded`: all is in the item of the saga. `both`: in each of them, on
 * the way from one to the other.
 */
export type SagaOutboxForm = (typeof sagaOutboxForms)[number];

export const sagaOutboxForms = ['records', 'both', 'embedded'] as const;

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
export interface SagaRules extends StateRules {
  readonly kind: 'saga';
  readonly name: string;
  readonly messages: MessageSchemas;
  readonly compressesState?: boolean;
  /** @default 'records' */
  readonly outbox?: SagaOutboxForm;
  readonly correlate: (message: IncomingMessage) => Promise<CorrelatedMessage>;
  /** @default true */
  readonly coalesce?: boolean;
}

/** A long-running process, made by {@link defineSaga}. */
export interface SagaType<
  Schemas extends MessageSchemas,
  State,
  Listed extends SenderContracts = SenderContracts,
> extends SagaRules {
  readonly messages: Schemas;
  /** What it may send. */
  readonly contracts: Listed;
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
export function defineSaga<
  const Schemas extends MessageSchemas,
  State,
  const Sends extends readonly Contract[] = readonly Contract[],
  const Publishes extends readonly Contract[] = readonly Contract[],
  const Replies extends readonly Contract[] = readonly Contract[],
>(
  definition: SagaDefinition<Schemas, State, Sends, Publishes, Replies>,
): SagaType<Schemas, State, ListedBySaga<Schemas, Sends, Publishes, Replies>> {
  const { name, messages, initialState, stateSchema, migrate } = Object(definition) as typeof definition;
  assertKeyName('defineSaga: name', name);
  assertMessages(`defineSaga '${name}'`, messages);
  assertSettings(`defineSaga '${name}'`, definition, settings);
  assertFunctionPerType(`defineSaga '${name}'`, messages, 'handlers', definition.handlers);
  assertFunctionPerType(`defineSaga '${name}'`, messages, 'correlate', definition.correlate);
  assertStarters(name, definition.startedBy, messages);
  assertFreshStates(name, initialState);
  assertCoalesce(name, definition.coalesce);
  assertOutboxForm(name, definition.outbox);
  assertStateOptions(name, definition.state);
  assertStateRules(`defineSaga '${name}'`, stateSchema, migrate);
  const contracts = listedBy(definition);
  const checks = checksOf(`defineSaga '${name}'`, contracts);

  const correlate = definition.correlate as Record<string, (body: unknown) => unknown>;
  const handlers = definition.handlers as Record<string, (message: unknown, context: unknown) => unknown>;
  const startedBy = new Set<string>(definition.startedBy);
  return {
    kind: 'saga',
    name,
    messages,
    contracts: contracts as ListedBySaga<Schemas, Sends, Publishes, Replies>,
    initialState,
    ...(stateSchema && { stateSchema }),
    ...(migrate && { migrate, stateVersion: currentStateVersion(migrate) }),
    coalesce: definition.coalesce !== false,
    compressesState: definition.state?.compress === true,
    outbox: definition.outbox ?? 'records',
    correlate: async (received) => {
      const message = await validateMessage(received, messages);
      const id = correlationValue(correlate[message.type]?.(message.body), message, name);
      return { message, identity: { name, id }, starts: startedBy.has(message.type) };
    },
    handler: async (message, context) => {
      if (context.saga?.name !== name) throw unwrappedSaga(name);
      const handle = forTypeOf(message, handlers);
      giveChecks(context, checks);
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

function assertOutboxForm(sagaName: string, outbox: unknown): void {
  if (outbox === undefined || (sagaOutboxForms as readonly unknown[]).includes(outbox)) return;
  const setting = `defineSaga '${sagaName}': outbox`;
  throw configurationError(setting, `it is ${describeValue(outbox)}`, "Use 'records', 'both' or 'embedded'");
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
