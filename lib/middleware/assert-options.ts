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
  trueOrFalse,
  withMethods,
  withParts,
  withSettings,
} from '../core/checks/option-checks.ts';
import { lockingSettings } from '../core/saga/locking.ts';
import { assertKeyName } from '../core/storage/keys.ts';
import { tableDefaults } from '../core/storage/table-defaults.ts';
import { defaults } from './defaults.ts';
import type { SagaOutboxOptions, SqsBatchOptions } from './options.ts';
import { recordFormOf } from './record-form-setting.ts';
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

/** Of all options, as one object may configure all functions of an endpoint; settings check `anyValue`. */
export const optionChecks = {
  caller: aFunction,
  claimCheck: withSettings({ bucketName: aNonEmptyString, thresholdBytes: anyValue, retention: aDuration }),
  commitsStatus: aFunction,
  concurrency: anyValue,
  defaultMessageType: aNonEmptyString,
  destinations: anyValue,
  dynamoDBClient: client,
  endpoint: anyValue,
  endpoints: anyValue,
  errorQueueUrl: anyValue,
  eventBridgeClient: client,
  exclusive: (value, setting) =>
    typeof value === 'boolean'
      ? undefined
      : withSettings(allOf(defaults.exclusive, aDuration))(value, setting),
  idempotencyKey: aFunction,
  includePostponed: trueOrFalse,
  leaseDuration: anyValue,
  locking: anObject,
  logger: withMethods('info', 'warn', 'error'),
  mapper,
  maxReadUnitsPerSecond: anyValue,
  maxReceiveCount: anyValue,
  messageFormat: anyValue,
  metrics: withMethods('addMetric'),
  olderThan: anyValue,
  onEvent: aFunction,
  onMessage: aFunction,
  onRelayed: aFunction,
  onSagaNotFound: aFunction,
  outbox: trueOrFalse,
  outboxTable: table,
  parse: aFunction,
  ports: withParts('sagas', 'outbox', 'committer', 'dispatcher', 'clock'),
  publishTo: anyValue,
  publishes: anyValue,
  queueUrl: anyValue,
  recoverability: withSettings({
    policy: aFunction,
    immediateRetries: withSettings({ maxRetries: aNumber, baseDelay: aDuration, maxDelay: aDuration }),
    delayedRetries: withSettings(allOf(defaults.delayedRetries, aDuration)),
  }),
  recordForm: anyValue,
  relayIndex: trueOrFalse,
  requireIdempotencyKey: trueOrFalse,
  replies: anyValue,
  s3Client: client,
  saga: (value, setting) => saga(value, setting) && { setting, problem: 'it is not what defineSaga returns' },
  sagaTable: table,
  scheduler: withSettings({
    groupName: aNonEmptyString,
    roleArn: aNonEmptyString,
    deadLetterArn: anyValue,
    kmsKeyArn: anyValue,
  }),
  schedulerClient: client,
  scope: kind("'public'", (value) => value === 'public'),
  segments: anyValue,
  sends: anyValue,
  snsClient: client,
  sqsClient: client,
  strategy: anyValue,
  throwOnFullBatchFailure: trueOrFalse,
  timeMargins: withSettings(allOf(defaults.timeMargins, aDuration)),
  deduplicationPeriod: anyValue,
  validateOutgoing: trueOrFalse,
  tracing: withMethods('startMessage', 'startSession', 'produce', 'traced', 'flush'),
} satisfies Record<keyof Required<Options>, OptionCheck>;

/**
 * Refuses wrong options when the handler is made. What the environment gives is read with the first message:
 * a test may load a module where nothing is configured.
 *
 * @param of the function that they are given to
 * @throws SagaboxError `Configuration`
 */
export function assertOptions(of: string, options: Partial<Options>): void {
  assertOptionKinds(of, options, optionChecks);
  const { endpoint, sagaTable, outboxTable, ...others } = Object.fromEntries(
    Object.entries(options).filter(([, value]) => !lacksEnvironment(value)),
  ) as Partial<Options>;
  if (endpoint !== undefined) assertKeyName('endpoint', endpoint);
  for (const [option, configured] of Object.entries({ sagaTable, outboxTable })) {
    if (configured) assertAttributeNames(option, { ...tableDefaults, ...configured });
  }
  lockingSettings(options.locking);
  sendingOf(others, {});
  recordFormOf(others, {});
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
