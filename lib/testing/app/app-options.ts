import type { Context as LambdaContext } from 'aws-lambda';
import { optionChecks, takerOf } from '../../compose/assert-options.ts';
import { type Definition, definitionsByType } from '../../compose/handler/route-messages.ts';
import type { EndpointOptions } from '../../compose/options.ts';
import type { RecoverabilityOptions } from '../../compose/recoverability-options.ts';
import type { SessionContracts } from '../../compose/session/session-options.ts';
import { wholeNumber } from '../../compose/settings.ts';
import { assertKeyName } from '../../dynamodb/keys.ts';
import {
  aNonEmptyString,
  aNumber,
  anObject,
  anyValue,
  assertOptionKinds,
  trueOrFalse,
  withMethods,
} from '../../kernel/checks/checks.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';
import type { EnvelopeOptions } from '../../messages/envelope.ts';
import type { MessageLogger } from '../../messages/logger.ts';
import type { StateMapper } from '../../saga/item/mapper.dynamodb.ts';
import type { SessionRules } from '../session/session-options.ts';
import type { TestTable } from '../tables/test-tables.ts';
import { subscriptions } from './subscriptions.ts';

/** One endpoint of a `testApp`. */
export interface AppEndpoint
  extends EnvelopeOptions,
    Pick<EndpointOptions, 'publishTo' | 'messageFormat' | 'claimCheck' | 'validateOutgoing'> {
  /** Its name: others send to it by that. */
  readonly endpoint: string;
  /** What `createHandler` would get: one saga or handler set, or several. */
  readonly handles: Definition | readonly Definition[];
  /**
   * The topics and event buses that it subscribes to, by name: all of their messages, or some types of each,
   * as in `{ events: ['OrderPlaced'] }`.
   *
   * @default none
   */
  readonly subscribesTo?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /**
   * Whether its queue is a FIFO queue.
   *
   * @default false
   */
  readonly fifo?: boolean;
  /** @default as in production */
  readonly recoverability?: RecoverabilityOptions;
  /**
   * After how many deliveries a message that fails goes to the error queue.
   *
   * @default 5
   */
  readonly maxReceiveCount?: number;
  /** @default plain objects to and from DynamoDB's types */
  readonly mapper?: StateMapper;
  /** Parts of the Lambda context that its handlers read. @default a function 'test', with half a minute left */
  readonly context?: Partial<LambdaContext>;
}

/** A function of a `testApp` that is no endpoint for messages: one with an `outboxSession`, such as an HTTP API. */
export interface AppSession extends SessionRules, SessionContracts, Pick<EndpointOptions, 'publishTo'> {
  /** Its name. Nobody sends to it. */
  readonly endpoint: string;
  /** The function that you give to Middy, or to `runOutboxSession`. */
  readonly session: (event: never, context: never) => unknown;
  /** Parts of the Lambda context that it reads. @default a function 'test', with half a minute left */
  readonly context?: Partial<LambdaContext>;
}

export function isSession(given: AppEndpoint | AppSession): given is AppSession {
  return typeof (given as Partial<AppSession>).session === 'function';
}

export function isEndpoint(given: AppEndpoint | AppSession): given is AppEndpoint {
  return !isSession(given);
}

/** Options of `testApp`. */
export interface TestAppOptions {
  /**
   * Runs deliveries side by side, and chooses by this number which of them goes on next: each seed is another
   * order, and always the same one.
   *
   * @default none: one delivery after another, in the order in which the messages were sent
   */
  seed?: number;
  /**
   * Names of queues outside of the app that its endpoints send to. What is sent there is kept in `sentTo`.
   *
   * @default none but 'sender', which replies to messages of the test go to
   */
  destinations?: readonly string[];
  /**
   * Which of the names that endpoints publish or subscribe to are event buses; the others are topics.
   *
   * @default none
   */
  eventBuses?: readonly string[];
  /**
   * Whether a message that ends in an error queue makes the test fail, unless it was planned with `fail`.
   *
   * @default true
   */
  throwOnFailure?: boolean;
  /**
   * After how many deliveries, of one call, the app is taken for one that never gets quiet.
   *
   * @default 1000
   */
  maxDeliveries?: number;
  /** @default 2026-01-01T00:00:00Z */
  now?: Date;
  /** Tables of your own, as of `testHandlers`. @default none */
  tables?: Readonly<Record<string, TestTable>>;
  /** @default one that logs nothing */
  logger?: MessageLogger;
}

export const appDefaults = { maxReceiveCount: 5, maxDeliveries: 1000 } as const;

/** @throws SagaboxError `Configuration` */
export function assertAppOptions(
  endpoints: readonly (AppEndpoint | AppSession)[],
  options: TestAppOptions,
): void {
  const checks = {
    seed: aNumber,
    destinations: anyValue,
    eventBuses: anyValue,
    throwOnFailure: trueOrFalse,
    maxDeliveries: aNumber,
    now: withMethods('toISOString'),
    tables: anObject,
    logger: optionChecks.logger,
  } satisfies Record<keyof Required<TestAppOptions>, unknown>;
  assertOptionKinds('testApp', options, checks, { takerOf });
  assertFifoSubscriptions(endpoints, options.eventBuses ?? []);
  wholeNumber('testApp: maxDeliveries', options.maxDeliveries ?? appDefaults.maxDeliveries, 1);
  if (options.seed !== undefined) wholeNumber('testApp: seed', options.seed, 0);
  if (!Array.isArray(endpoints) || endpoints.length === 0) {
    const remedy = "Give an array such as [{ endpoint: 'orders', handles: orderSaga }]";
    throw configurationError('testApp', `its endpoints are ${describeValue(endpoints)}`, remedy);
  }
  const names = new Set<string>();
  for (const endpoint of endpoints) {
    if (isSession(endpoint)) assertKeyName('testApp: endpoint', endpoint.endpoint);
    else assertEndpoint(endpoint);
    if (names.has(endpoint.endpoint)) {
      const problem = `two endpoints are named '${endpoint.endpoint}'`;
      throw configurationError('testApp', problem, 'Give each a name of its own, or both definitions to one');
    }
    names.add(endpoint.endpoint);
    if (isSession(endpoint)) continue;
    const handles = [endpoint.handles].flat() as Definition[];
    const handled = definitionsByType(`testApp: '${endpoint.endpoint}'`, handles);
    assertSubscribedTypes(endpoint, handled);
  }
}

/** SNS has no standard topic send to a FIFO queue. */
function assertFifoSubscriptions(
  given: readonly (AppEndpoint | AppSession)[],
  eventBuses: readonly string[],
): void {
  if (!Array.isArray(given)) return;
  for (const endpoint of given) {
    if (isSession(endpoint) || endpoint.fifo !== true) continue;
    const topics = Object.keys(subscriptions(endpoint)).filter((name) => !eventBuses.includes(name));
    const standard = topics.filter((name) => !name.endsWith('.fifo'));
    if (standard.length === 0) continue;
    const problem = `its FIFO queue subscribes to the standard topic ${standard.join(', ')}, which SNS refuses`;
    const remedy = "Name a FIFO topic, whose name ends in '.fifo', or list it among the eventBuses";
    throw configurationError(`testApp: subscribesTo of '${endpoint.endpoint}'`, problem, remedy);
  }
}

/** Topics are not checked: what nobody in the app publishes to, the test may, as a publisher outside of it does. */
function assertSubscribedTypes(
  { endpoint, parse, subscribesTo = [] }: AppEndpoint,
  handled: ReadonlyMap<string, unknown>,
): void {
  // It may give a message another type than its topic knows.
  if (parse !== undefined || Array.isArray(subscribesTo)) return;
  for (const [topic, types] of Object.entries(subscribesTo)) {
    const unknown = [types].flat().filter((type) => !handled.has(type));
    if (unknown.length > 0) {
      const problem = `it subscribes to ${unknown.join(', ')} of '${topic}', which it does not handle`;
      const remedy = `Name some of its message types: ${[...handled.keys()].join(', ')}`;
      throw configurationError(`testApp: subscribesTo of '${endpoint}'`, problem, remedy);
    }
  }
}

function assertEndpoint(endpoint: AppEndpoint): void {
  const { claimCheck, defaultMessageType, mapper, messageFormat, parse, publishTo, recoverability } =
    optionChecks;
  const checks = {
    endpoint: aNonEmptyString,
    handles: anyValue,
    subscribesTo: anyValue,
    fifo: trueOrFalse,
    recoverability,
    maxReceiveCount: aNumber,
    mapper,
    context: anObject,
    publishTo,
    messageFormat,
    claimCheck,
    validateOutgoing: trueOrFalse,
    parse,
    handleReplays: trueOrFalse,
    defaultMessageType,
  } satisfies Record<keyof Required<AppEndpoint>, unknown>;
  assertOptionKinds('an endpoint of testApp', endpoint, checks, { takerOf });
  assertKeyName('testApp: endpoint', endpoint.endpoint);
  if (endpoint.maxReceiveCount !== undefined)
    wholeNumber(`testApp: maxReceiveCount of '${endpoint.endpoint}'`, endpoint.maxReceiveCount, 1);
}
