import type { StandardSchemaV1 } from '@standard-schema/spec';
import { assertKeyName, type SagaIdentity } from '../../dynamodb/keys.ts';
import { whileRunning } from '../../handlers/running-handlers.ts';
import { anyValue, type Check, trueOrFalse } from '../../kernel/checks/checks.ts';
import { configurationError, type SagaboxError } from '../../kernel/errors/errors.ts';
import type { Contract, SenderContracts } from '../../messages/contracts/contract.ts';
import {
  checksOf,
  giveChecks,
  type ListedBySaga,
  type ListedContracts,
  listedBy,
  listSettings,
} from '../../messages/contracts/listed-contracts.ts';
import {
  aSchema,
  assertDefinition,
  functionPerType,
  optional,
  someMessages,
} from '../../messages/definition-checks.ts';
import type { IncomingMessage } from '../../messages/message.ts';
import {
  type BodyOf,
  forTypeOf,
  type MessageOf,
  type MessageSchemas,
  validateMessage,
} from '../../messages/schema.ts';
import { currentStateVersion, type StateMigrations, type StateRules } from '../state-versions.ts';
import { type ContributionRole, type ContributionRules, contributionRules } from './contribution-roles.ts';
import { correlationValue } from './correlation-value.ts';
import { anOutbox, freshStates, startersOf, stateMigrations, stateOptions } from './definition-checks.ts';
import type { EmbeddedOutbox } from './outbox-form.ts';
import type {
  DefinedAppendingContext,
  DefinedCollectingContext,
  DefinedSagaHandlerContext,
  SagaHandlerContext,
} from './saga-handler-context.ts';

export interface SagaDefinition<
  Schemas extends MessageSchemas,
  State,
  Sends extends readonly Contract[],
  Publishes extends readonly Contract[],
  Replies extends readonly Contract[],
  AppendedBy extends string = never,
  CollectedBy extends string = never,
> extends ListedContracts<Sends, Publishes, Replies> {
  /** The name is part of the key of each saga: to rename a saga is to lose its instances. */
  name: string;
  /** A Standard Schema for each message type. */
  messages: Schemas;
  /** The functions that return a message's correlation value: all messages with one value meet one saga. */
  correlate: {
    [Type in keyof Schemas & string]: (body: BodyOf<Schemas[Type]>) => string | number;
  };
  /** The message types that start a saga when there is none yet. */
  startedBy: readonly [keyof Schemas & string, ...(keyof Schemas & string)[]];
  /**
   * The message types whose handlers append to the saga with `saga.append`, and leave it as it is. They take
   * no lease, and cause no conflicts. The saga needs outbox records. See docs/guide/appending.md.
   *
   * @default - none
   */
  appendedBy?: readonly (AppendedBy & keyof Schemas)[];
  /**
   * The message types whose handlers read the appended values, with `saga.collect`.
   *
   * @default - none
   */
  collectedBy?: readonly (CollectedBy & keyof Schemas)[];
  /** Returns a new object at each call. The state has the object's type, unless `stateSchema` sets it. */
  initialState: () => State & object;
  /**
   * A Standard Schema that each state is validated by when it is read, and before it is stored. A handler
   * gets the state that the schema returns, so that the schema can add defaults. The schema must accept its
   * own results.
   *
   * @default - states are not validated
   */
  stateSchema?: StandardSchemaV1<unknown, State>;
  /**
   * The functions that turn a stored state of an earlier version into one of the next, by the earlier
   * version: `{ 1: (old) => … }` leads from version 1 to version 2. New states have one version more than the
   * last function. States without a version, from before the first migration, have version 1.
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
   * The place where the saga keeps its outgoing messages, and the ids of the messages that it has handled.
   * `embeddedOutbox()` keeps them in the item of the saga, which takes fewer write units while the item is
   * small. See docs/guide/embedded-outbox.md for when to choose it, and for how to change a saga that has
   * instances.
   *
   * @default - outbox records beside the item of the saga
   */
  outbox?: EmbeddedOutbox | undefined;
  /** The form of the stored state. Each form is read whatever this option says: it may change at any time. */
  state?: SagaStateOptions;
  handlers: {
    [Type in keyof Schemas & string]: (
      message: IncomingMessage<Type, BodyOf<Schemas[Type]>>,
      context: ContextOf<
        Type extends AppendedBy ? 'append' : Type extends CollectedBy ? 'collect' : 'none',
        State,
        ListedBySaga<Schemas, Sends, Publishes, Replies>
      >,
    ) => void | Promise<void>;
  };
}

/** The context of a handler, by its use of contributions. */
type ContextOf<
  Role extends ContributionRole | 'none',
  State,
  Listed extends SenderContracts,
> = Role extends 'append'
  ? DefinedAppendingContext<State, Listed>
  : Role extends 'collect'
    ? DefinedCollectingContext<State, Listed>
    : DefinedSagaHandlerContext<State, Listed>;

/** The checks of each setting; the name, the contracts and the contributions have their own. */
function checksOfSaga(messages: MessageSchemas) {
  return {
    ...listSettings,
    name: anyValue,
    messages: someMessages,
    correlate: functionPerType(messages),
    startedBy: startersOf(messages),
    appendedBy: anyValue,
    collectedBy: anyValue,
    initialState: freshStates,
    stateSchema: optional(aSchema),
    migrate: optional(stateMigrations),
    coalesce: optional(trueOrFalse),
    outbox: optional(anOutbox),
    state: optional(stateOptions),
    handlers: functionPerType(messages),
  } satisfies Record<keyof SagaDefinition<MessageSchemas, object, [], [], []>, Check>;
}

export interface SagaStateOptions {
  /**
   * Whether a state is stored compressed, where that saves a write unit: every 1 KB of the saga's item takes
   * one, or two in a transaction. Neither the console nor an index can read a compressed state.
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

/** The facts that the flow needs of a saga, whatever its messages and its state are. */
export interface SagaRules extends StateRules, ContributionRules {
  readonly kind: 'saga';
  readonly name: string;
  readonly messages: MessageSchemas;
  readonly compressesState?: boolean;
  /** @default - outbox records */
  readonly outbox?: EmbeddedOutbox;
  readonly correlate: (message: IncomingMessage) => Promise<CorrelatedMessage>;
  /** @default true */
  readonly coalesce?: boolean;
  /**
   * Whether the state is not the user's, so that a mapper for users' states would damage it. @default false
   */
  readonly hasOwnState?: boolean;
}

/** A long-running process, made by {@link defineSaga}. */
export interface SagaType<
  Schemas extends MessageSchemas,
  State,
  Listed extends SenderContracts = SenderContracts,
> extends SagaRules {
  readonly messages: Schemas;
  /** The contracts of the messages that the saga may send. */
  readonly contracts: Listed;
  readonly initialState: () => State;
  /** Calls the handler of one message's type, inside {@link sagaOutbox}. */
  readonly handler: (message: MessageOf<Schemas>, context: SagaHandlerContext<State>) => Promise<void>;
}

/**
 * Defines a saga: state that several messages share, from the message that starts it to `saga.complete()`.
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
  const AppendedBy extends string = never,
  const CollectedBy extends string = never,
>(
  definition: SagaDefinition<Schemas, State, Sends, Publishes, Replies, AppendedBy, CollectedBy>,
): SagaType<Schemas, State, ListedBySaga<Schemas, Sends, Publishes, Replies>> {
  const { name, messages, initialState, stateSchema, migrate } = Object(definition) as typeof definition;
  assertKeyName('defineSaga: name', name);
  assertDefinition(`defineSaga '${name}'`, definition, checksOfSaga(messages));
  const contributions = contributionRules(`defineSaga '${name}'`, definition);
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
    ...(definition.outbox && { outbox: definition.outbox }),
    ...contributions,
    correlate: async (received) => {
      const message = await validateMessage(received, messages);
      const id = correlationValue(correlate[message.type]?.(message.body), received, message, name);
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

function unwrappedSaga(name: string): SagaboxError<'Configuration'> {
  return configurationError(
    `the handler of saga '${name}'`,
    'it was called without its saga, or with another one',
    'Wrap it: middy(saga.handler).use(sagaOutbox({ saga })), or use createHandler(saga)',
  );
}
