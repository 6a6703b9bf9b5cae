import { assertKeyName } from '../dynamodb/keys.ts';
import { tableDefaults } from '../dynamodb/table-defaults.ts';
import {
  aDuration,
  aFunction,
  aList,
  aNonEmptyString,
  aNumber,
  anObject,
  anyValue,
  aString,
  assertOptionKinds,
  type Check,
  type Checks,
  checkOf,
  kind,
  objectOf,
  problemsOf,
  trueOrFalse,
  unless,
  withMethods,
  withParts,
} from '../kernel/checks/checks.ts';
import { lockingSettings } from '../saga/definition/locking.ts';
import { aSagaStore } from './custom-store-setting.ts';
import { defaults } from './defaults.ts';
import type { CreateHandlerOptions, SagaOutboxOptions, SqsBatchOptions } from './options.ts';
import type { RelayedEndpointOptions, RelayOutboxOptions } from './relay/relay-options.ts';
import type { WatchOutboxOptions } from './relay/watch-options.ts';
import { sendingOf } from './sending-settings.ts';
import type { OutboxSessionOptions } from './session/session-options.ts';
import { deduplicationSeconds, errorQueueUrl, maxReceiveCount, ownQueueUrl } from './settings.ts';
import { assertAttributeNames } from './table-settings.ts';

type Options = SagaOutboxOptions & SqsBatchOptions & RelayOutboxOptions & OutboxSessionOptions;

const table = objectOf({ tableName: aString, ...allOf(tableDefaults, aNonEmptyString) });
const client = withMethods('send');
const mapper = withMethods('toAttributes', 'fromAttributes');
const saga = withMethods('correlate', 'initialState');

/** The checks of the options that each endpoint has; the code that reads a setting checks an `anyValue`. */
const endpointChecks = {
  claimCheck: objectOf({ bucketName: aNonEmptyString, thresholdBytes: anyValue, retention: aDuration }),
  deduplicationPeriod: aDuration,
  destinations: anyValue,
  dynamoDBClient: client,
  endpoint: anyValue,
  eventBridgeClient: client,
  logger: withMethods('info', 'warn', 'error'),
  messageFormat: anyValue,
  metrics: withMethods('addMetric'),
  onEvent: aFunction,
  onMessage: aFunction,
  outboxTable: table,
  ports: withParts('sagas', 'outbox', 'committer', 'dispatcher', 'clock'),
  publishes: anyValue,
  publishTo: anyValue,
  s3Client: client,
  scheduler: objectOf({
    groupName: aNonEmptyString,
    roleArn: aNonEmptyString,
    deadLetterArn: anyValue,
    kmsKeyArn: anyValue,
  }),
  schedulerClient: client,
  sends: anyValue,
  snsClient: client,
  sqsClient: client,
  tracing: withMethods('startMessage', 'startSession', 'produce', 'traced', 'flush'),
  validateOutgoing: trueOrFalse,
};

const envelopeChecks = { defaultMessageType: aNonEmptyString, handleReplays: trueOrFalse, parse: aFunction };

export const sagaOutboxChecks = {
  ...endpointChecks,
  ...envelopeChecks,
  locking: anObject,
  mapper,
  onSagaNotFound: aFunction,
  outbox: trueOrFalse,
  replies: anyValue,
  saga: checkOf(
    (value) => (problemsOf(saga, value).length > 0 ? 'it is not what defineSaga returns' : undefined),
    'Give it what defineSaga returned',
  ),
  sagaStore: aSagaStore,
  sagaTable: table,
} satisfies Record<keyof SagaOutboxOptions, Check>;

const { destinations, endpoint, logger, metrics, onEvent, sqsClient, tracing } = endpointChecks;

export const sqsBatchChecks = {
  ...{ destinations, endpoint, logger, metrics, onEvent, sqsClient, tracing },
  ...envelopeChecks,
  concurrency: anyValue,
  errorQueueUrl: anyValue,
  maxReceiveCount: anyValue,
  outbox: trueOrFalse,
  queueUrl: anyValue,
  recoverability: objectOf({
    policy: aFunction,
    immediateRetries: objectOf({ maxRetries: aNumber, baseDelay: aDuration, maxDelay: aDuration }),
    delayedRetries: objectOf(allOf(defaults.delayedRetries, aDuration)),
  }),
  throwOnFullBatchFailure: trueOrFalse,
  timeMargins: objectOf(allOf(defaults.timeMargins, aDuration)),
} satisfies Record<keyof SqsBatchOptions, Check>;

/** Left out, because a definition is its saga, and lists contracts of its own. */
const { saga: _saga, sends, publishes, replies, ...ofEachHandler } = sagaOutboxChecks;

export const createHandlerChecks = {
  ...ofEachHandler,
  ...sqsBatchChecks,
} satisfies Record<keyof CreateHandlerOptions, Check>;

const { deduplicationPeriod, dynamoDBClient, eventBridgeClient, outboxTable } = endpointChecks;
const { scheduler, schedulerClient, snsClient } = endpointChecks;
const { sagaTable } = sagaOutboxChecks;

/** The checks of the options of one endpoint, of several that a relay serves. */
export const relayedEndpointChecks = {
  ...{ deduplicationPeriod, destinations, endpoint, sagaTable, scheduler },
} satisfies Record<keyof RelayedEndpointOptions, Check>;

export const relayOutboxChecks = {
  ...relayedEndpointChecks,
  ...{ dynamoDBClient, eventBridgeClient, logger, metrics, outboxTable },
  ...{ schedulerClient, snsClient, sqsClient, tracing },
  concurrency: anyValue,
  endpoints: anyValue,
  lambdaClient: client,
  includePostponed: trueOrFalse,
  leaseDuration: aDuration,
  maxReadUnitsPerSecond: anyValue,
  olderThan: aDuration,
  onRelayed: aFunction,
  segments: anyValue,
  strategy: anyValue,
} satisfies Record<keyof RelayOutboxOptions, Check>;

export const watchOutboxChecks = {
  ...{ dynamoDBClient, logger },
  endpoints: aList,
  tables: aList,
} satisfies Record<keyof WatchOutboxOptions, Check>;

/** The checks of the options of an outbox session. */
export const sessionChecks = {
  ...endpointChecks,
  caller: aFunction,
  commitsStatus: aFunction,
  exclusive: unless((value) => typeof value === 'boolean', objectOf(allOf(defaults.exclusive, aDuration))),
  idempotencyKey: aFunction,
  operation: aNonEmptyString,
  requireIdempotencyKey: trueOrFalse,
  scope: kind("'public'", (value) => value === 'public'),
} satisfies Record<keyof Required<OutboxSessionOptions>, Check>;

export const optionChecks = { ...sagaOutboxChecks, ...sqsBatchChecks, ...sessionChecks };

const takers: Readonly<Record<string, Checks>> = {
  createHandler: createHandlerChecks,
  sagaOutbox: sagaOutboxChecks,
  sqsBatch: sqsBatchChecks,
  relayOutbox: relayOutboxChecks,
  watchOutbox: watchOutboxChecks,
  outboxSession: sessionChecks,
};

/** The functions that take an option of that name, for an error of another one; `undefined` if none does. */
export function takerOf(name: string): string | undefined {
  const names = Object.keys(takers).filter((taker) => Object.hasOwn(takers[taker] as object, name));
  return names.length === 0 ? undefined : names.join(', ');
}

/**
 * Refuses wrong options, and those of other functions, when the handler is made. The environment is read with
 * the first message: a test may load a module where nothing is configured.
 *
 * @param of the function that the options are given to
 * @throws SagaboxError `Configuration`
 */
export function assertOptions(of: string, options: Partial<Options>, checks: Checks): void {
  assertOptionKinds(of, options, checks, { takerOf });
  const { endpoint, sagaTable, outboxTable, ...others } = Object.fromEntries(
    Object.entries(options).filter(([, value]) => !lacksEnvironment(value)),
  ) as Partial<Options>;
  if (endpoint !== undefined) assertKeyName('endpoint', endpoint);
  for (const [option, configured] of Object.entries({ sagaTable, outboxTable })) {
    if (configured) assertAttributeNames(option, { ...tableDefaults, ...configured });
  }
  lockingSettings(options.locking);
  sendingOf(others, {});
  deduplicationSeconds(others, {});
  errorQueueUrl(options, {});
  maxReceiveCount(options, {});
  ownQueueUrl(options, {});
}

/** Whether an unset variable is in an option, as in `{ billing: process.env.BILLING_URL }`. */
function lacksEnvironment(option: unknown): boolean {
  return typeof option === 'object' && Object.values(option ?? {}).includes(undefined);
}

/** The same check for each name of an object. */
function allOf(named: object, check: Check): Record<string, Check> {
  return Object.fromEntries(Object.keys(named).map((name) => [name, check]));
}
