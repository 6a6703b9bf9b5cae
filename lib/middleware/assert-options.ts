import {
  aDuration,
  aFunction,
  aNonEmptyString,
  aNumber,
  anObject,
  anyValue,
  aString,
  assertOptionKinds,
  kind,
  type OptionCheck,
  type OptionChecks,
  trueOrFalse,
  withMethods,
  withParts,
  withSettings,
} from '../core/checks/option-checks.ts';
import { lockingSettings } from '../core/saga/locking.ts';
import { assertKeyName } from '../core/storage/keys.ts';
import { tableDefaults } from '../core/storage/table-defaults.ts';
import { aSagaStore } from './custom-store-setting.ts';
import { defaults } from './defaults.ts';
import type { SagaOutboxOptions, SqsBatchOptions } from './options.ts';
import type { RelayOutboxOptions } from './relay/relay-options.ts';
import { sendingOf } from './sending-settings.ts';
import type { OutboxSessionOptions } from './session/session-options.ts';
import { deduplicationSeconds, errorQueueUrl, maxReceiveCount, ownQueueUrl } from './settings.ts';
import { assertAttributeNames } from './table-settings.ts';

type Options = SagaOutboxOptions & SqsBatchOptions & RelayOutboxOptions & OutboxSessionOptions;

const table = withSettings({ tableName: aString, ...allOf(tableDefaults, aNonEmptyString) });
const client = withMethods('send');
const mapper = withMethods('toAttributes', 'fromAttributes');
const saga = withMethods('correlate', 'initialState');

/** Of what each endpoint has; settings check `anyValue`. */
const endpointChecks = {
  claimCheck: withSettings({ bucketName: aNonEmptyString, thresholdBytes: anyValue, retention: aDuration }),
  deduplicationPeriod: anyValue,
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
  relayIndex: trueOrFalse,
  s3Client: client,
  scheduler: withSettings({
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

/** Of the functions of an endpoint that handles messages: one object may configure all of them. */
const messageChecks = {
  ...endpointChecks,
  concurrency: anyValue,
  defaultMessageType: aNonEmptyString,
  endpoints: anyValue,
  errorQueueUrl: anyValue,
  handleReplays: trueOrFalse,
  includePostponed: trueOrFalse,
  leaseDuration: anyValue,
  locking: anObject,
  mapper,
  maxReadUnitsPerSecond: anyValue,
  maxReceiveCount: anyValue,
  olderThan: anyValue,
  onRelayed: aFunction,
  onSagaNotFound: aFunction,
  outbox: trueOrFalse,
  parse: aFunction,
  queueUrl: anyValue,
  recoverability: withSettings({
    policy: aFunction,
    immediateRetries: withSettings({ maxRetries: aNumber, baseDelay: aDuration, maxDelay: aDuration }),
    delayedRetries: withSettings(allOf(defaults.delayedRetries, aDuration)),
  }),
  replies: anyValue,
  saga: (value, setting) => saga(value, setting) && { setting, problem: 'it is not what defineSaga returns' },
  sagaRelayIndex: trueOrFalse,
  sagaStore: aSagaStore,
  sagaTable: table,
  segments: anyValue,
  strategy: anyValue,
  throwOnFullBatchFailure: trueOrFalse,
  timeMargins: withSettings(allOf(defaults.timeMargins, aDuration)),
} satisfies Record<keyof (SagaOutboxOptions & SqsBatchOptions & RelayOutboxOptions), OptionCheck>;

/** Of an outbox session. */
export const sessionChecks = {
  ...endpointChecks,
  caller: aFunction,
  commitsStatus: aFunction,
  exclusive: (value, setting) =>
    typeof value === 'boolean'
      ? undefined
      : withSettings(allOf(defaults.exclusive, aDuration))(value, setting),
  idempotencyKey: aFunction,
  requireIdempotencyKey: trueOrFalse,
  scope: kind("'public'", (value) => value === 'public'),
} satisfies Record<keyof Required<OutboxSessionOptions>, OptionCheck>;

export const optionChecks = { ...messageChecks, ...sessionChecks };

/**
 * Refuses wrong options when the handler is made. What the environment gives is read with the first message:
 * a test may load a module where nothing is configured.
 *
 * @param of the function that they are given to
 * @param checks @default - those of the functions that handle messages
 * @throws SagaboxError `Configuration`
 */
export function assertOptions(
  of: string,
  options: Partial<Options>,
  checks: OptionChecks = messageChecks,
): void {
  assertOptionKinds(of, options, checks);
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

/** As in `{ billing: process.env.BILLING_URL }` where the variable is not set. */
function lacksEnvironment(option: unknown): boolean {
  return typeof option === 'object' && Object.values(option ?? {}).includes(undefined);
}

/** The same check for each name of an object. */
function allOf(named: object, check: OptionCheck): Record<string, OptionCheck> {
  return Object.fromEntries(Object.keys(named).map((name) => [name, check]));
}
