import { isQueueName, queueUrlIn, type ServiceLocation } from '../messages/destinations/service-location.ts';
import type { Locking, LockingMode } from '../saga/definition/locking.ts';
import type { Environment, Setting } from './setting.ts';

/**
 * The name of the endpoint, under which its messages are deduplicated.
 *
 * @default - a function that handles messages or requests needs it
 */
export const endpointSetting: Setting<string> = {
  option: 'endpoint',
  variable: 'SAGABOX_ENDPOINT',
  decode: String,
};

/**
 * The name of what a session does. A `SendOnlyEndpoint` sets the path of the function in the app.
 *
 * @default - the name of the function
 */
export const operationSetting: Setting<string> = {
  option: 'operation',
  variable: 'SAGABOX_OPERATION',
  decode: String,
};

/**
 * The account of the function, in which short names of queues, topics, event buses and roles stand. Their region is
 * that of the function, which Lambda sets as `AWS_REGION`.
 *
 * @default - URLs and ARNs are needed
 */
export const accountIdSetting: Setting<string> = {
  variable: 'SAGABOX_ACCOUNT_ID',
  decode: String,
};

/** The location of the function; `undefined` if the environment does not tell it. */
export function locationOf(environment: Environment): ServiceLocation | undefined {
  const accountId = environment[accountIdSetting.variable];
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  const sqsEndpoint = environment.AWS_ENDPOINT_URL_SQS ?? environment.AWS_ENDPOINT_URL;
  return accountId && region ? { accountId, region, sqsEndpoint } : undefined;
}

/**
 * The number of deliveries after which the queue moves a message to its dead letter queue.
 *
 * @default - not known
 */
export const maxReceiveCountSetting: Setting<number, number | string> = {
  option: 'maxReceiveCount',
  variable: 'SAGABOX_MAX_RECEIVE_COUNT',
  decode: Number,
};

/**
 * The error queue: its URL, or its name if it stands in the account and region of the function.
 *
 * @default - none
 */
export const errorQueueSetting: Setting<string> = {
  option: 'errorQueueUrl',
  variable: 'SAGABOX_ERROR_QUEUE',
  decode: (queue, environment) => {
    const location = locationOf(environment);
    return location && isQueueName(queue) ? queueUrlIn(location, queue) : queue;
  },
};

/**
 * The mode of locking: see docs/guide/concurrency.md.
 *
 * @default - `optimistic`
 */
export const lockingSetting: Setting<Locking, LockingMode> = {
  option: 'locking',
  variable: 'SAGABOX_LOCKING',
  // The check of the option refuses a mode that does not exist.
  decode: (mode) => (mode === '' ? undefined : ({ mode } as Locking)),
};

/**
 * The deduplication period, in seconds.
 *
 * @default - 7 days
 */
export const deduplicationPeriodSetting: Setting<number, number | string> = {
  option: 'deduplicationPeriod',
  variable: 'SAGABOX_DEDUPLICATION_PERIOD_SECONDS',
  decode: (seconds) => (seconds === '' ? undefined : Number(seconds)),
};

/**
 * `true`: a saga of the endpoint has `outbox: embeddedOutbox()`. A function that the constructs deploy takes such a
 * saga only then.
 *
 * @default - `false`
 */
export const embeddedOutboxSetting: Setting<boolean> = {
  variable: 'SAGABOX_EMBEDDED_OUTBOX',
  decode: (text) => text === 'true',
};

/**
 * The CloudWatch namespace of the metrics that sagabox emits itself: see docs/guide/operations.md.
 *
 * @default - it emits none
 */
export const metricsNamespaceSetting: Setting<string> = {
  variable: 'SAGABOX_METRICS_NAMESPACE',
  decode: String,
};

/**
 * `true`: metrics by message type, too.
 *
 * @default - `false`
 */
export const metricsByMessageTypeSetting: Setting<boolean> = {
  variable: 'SAGABOX_METRICS_BY_MESSAGE_TYPE',
  decode: (text) => text === 'true',
};
