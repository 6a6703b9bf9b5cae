import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Ports } from '../attempt/ports.ts';
import type { TableConfiguration } from '../dynamodb/table-defaults.ts';
import type { SdkClient } from '../kernel/calls/sdk-client.ts';
import type { Duration } from '../kernel/duration.ts';
import type { ListedContracts } from '../messages/contracts/listed-contracts.ts';
import type { DestinationAddress } from '../messages/destinations/destination.ts';
import type { EnvelopeOptions } from '../messages/envelope.ts';
import type { MessageLogger } from '../messages/logger.ts';
import type { FlowHooks } from '../observe/hooks.ts';
import type { CustomSagaStore } from '../saga/custom-store/custom-saga-store.dynamodb.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import type { Locking } from '../saga/definition/locking.ts';
import type { StateMapper } from '../saga/item/mapper.dynamodb.ts';
import type { MessageFormat } from '../sending/sending.ts';
import type { Tracing } from '../sending/tracing.ts';
import type { ClaimCheckConfiguration, SchedulerConfiguration } from '../settings/sending.ts';
import type { RecoverabilityOptions } from './recoverability-options.ts';

/** Options of one endpoint: what processes its messages, and where. */
export interface EndpointOptions extends FlowHooks {
  /**
   * The scope of deduplication: two endpoints can each handle one message.
   *
   * @default the environment variable SAGABOX_ENDPOINT
   */
  endpoint?: string;
  /**
   * The table of the sagas: `{ tableName, partitionKeyName, sortKeyName, timeToLiveAttributeName }`. The
   * names default to `PK`, `SK` and `ExpiresAt`, must differ, and must not be those of
   * docs/reference/stored-data.md.
   *
   * @default the environment variable SAGABOX_SAGA_TABLE: a name, an ARN, or this object as JSON
   */
  sagaTable?: TableConfiguration;
  /**
   * The table of the outbox records, described as `sagaTable` is. It can be the saga table.
   *
   * @default the environment variable SAGABOX_OUTBOX_TABLE
   */
  outboxTable?: TableConfiguration;
  /**
   * The addresses of the destinations by name: queue URLs, ARNs of SNS topics, or ARNs of EventBridge event
   * buses. For timeouts, the endpoint's own queue is one of them, under the endpoint's name. A queue or
   * topic takes messages of up to 256 KiB, unless it is given as `{ address, maxMessageSizeBytes }`; see
   * docs/guide/messaging.md#message-sizes.
   *
   * @default the JSON object in the environment variable SAGABOX_DESTINATIONS, else none
   */
  destinations?: Readonly<Record<string, DestinationAddress>>;
  /**
   * The destination of `publish`: one name, or one for each message type, and under `'*'` for all others.
   *
   * @default the JSON object in the environment variable SAGABOX_PUBLISH_TO, else none
   */
  publishTo?: string | Readonly<Record<string, string>>;
  /**
   * How messages are written: `'plain'` is the body as JSON, `'cloudevents'` an envelope of CloudEvents
   * 1.0; see docs/guide/messaging.md#what-a-receiver-sees.
   *
   * @default 'plain'
   */
  messageFormat?: MessageFormat;
  /**
   * Whether messages are checked against the contracts that their sender lists, bodies by their schemas;
   * see docs/guide/contracts.md#at-run-time.
   *
   * @default true
   */
  validateOutgoing?: boolean;
  /**
   * Keeps messages whose delay is longer than the 15 minutes of SQS, or whose queue is FIFO: `{ groupName,
   * roleArn, deadLetterArn, kmsKeyArn }`, the last two optional; see docs/guide/timeouts.md.
   *
   * @default the JSON object in the environment variable SAGABOX_SCHEDULER, else none: such delays are
   *   refused
   */
  scheduler?: SchedulerConfiguration;
  /**
   * Keeps bodies that are too large to travel, in S3: `{ bucketName, thresholdBytes, retention }`, the
   * threshold 65536 by default, the retention optional; see docs/guide/messaging.md#claim-check.
   *
   * @default the JSON object in the environment variable SAGABOX_CLAIM_CHECK, else none: what is over a
   *   limit is refused
   */
  claimCheck?: ClaimCheckConfiguration;
  /**
   * Whether the endpoint has an outbox. With `false`, duplicates are not found, outgoing messages are sent
   * after the commit without being kept before, and a discarded or ignored message is acknowledged without
   * a record; see docs/guide/outbox.md#discards. `sqsBatch` takes `false` for a handler without
   * `sagaOutbox`, or with one that has `outbox: false`.
   *
   * @default true
   */
  outbox?: boolean;
  /**
   * How handlers that work on one saga at the same time are kept apart: `{ mode: 'optimistic',
   * consistentRead }`, `{ mode: 'pessimistic', … }`, or the preset `cosmosLocking`; see
   * docs/guide/concurrency.md.
   *
   * @default the mode in the environment variable SAGABOX_LOCKING, with its default settings, else `{ mode:
   *   'optimistic', consistentRead: true }`
   */
  locking?: Locking;
  /**
   * How long a message is known after its dispatch. No copy may be delivered later, also by hand; see
   * docs/reference/options.md#deduplication-period.
   *
   * @default the environment variable SAGABOX_DEDUPLICATION_PERIOD_SECONDS, else `{ days: 7 }`
   */
  deduplicationPeriod?: Duration;
  /**
   * Converts the state of a saga to attributes of DynamoDB and back; see
   * docs/guide/sagas.md#a-mapper-of-your-own.
   *
   * @default plain objects to and from DynamoDB's types
   */
  mapper?: StateMapper;
  /**
   * Keeps the sagas in items of your own; see docs/guide/custom-saga-store.md.
   *
   * @default - the saga table has them
   */
  sagaStore?: CustomSagaStore;
  /**
   * A client of your own.
   *
   * @default - one for all endpoints of the process, with the time limits of
   *   docs/guide/recoverability.md#time-limits-of-the-clients
   */
  dynamoDBClient?: DynamoDBClient;
  /**
   * A client of your own.
   *
   * @default - one for all endpoints of the process, with the time limits of
   *   docs/guide/recoverability.md#time-limits-of-the-clients
   */
  sqsClient?: SQSClient;
  /** An `SNSClient` of `@aws-sdk/client-sns`. @default one is made when it is first needed */
  snsClient?: SdkClient;
  /** An `EventBridgeClient` of `@aws-sdk/client-eventbridge`. @default one is made when it is first needed */
  eventBridgeClient?: SdkClient;
  /** A `SchedulerClient` of `@aws-sdk/client-scheduler`. @default one is made when it is first needed */
  schedulerClient?: SdkClient;
  /** An `S3Client` of `@aws-sdk/client-s3`. @default one is made when it is first needed */
  s3Client?: SdkClient;
  /**
   * Gets the failures, and is the `context.logger` of handlers; see docs/guide/operations.md#logs.
   *
   * @default readable lines on `console`; with the JSON log format of Lambda, one JSON object a line on
   *   `process.stdout`
   */
  logger?: MessageLogger;
  /**
   * Makes spans of messages, sessions, commits and dispatches: `openTelemetry()` of
   * `sagabox/opentelemetry`; see docs/guide/tracing.md. Give it to both `sqsBatch` and `sagaOutbox`.
   *
   * @default - none are made, and a valid `traceparent` of a message is handed on
   */
  tracing?: Tracing;
  /**
   * Replaces AWS in the tests of sagabox itself, and changes with any release; use `sagabox/testing`.
   *
   * @internal
   * @default DynamoDB, SQS and the other services
   */
  ports?: Ports;
}

/** Contracts are for a plain function: `defineSaga` and `defineHandlers` list their own. */
export interface SagaOutboxOptions extends EndpointOptions, EnvelopeOptions, ListedContracts {
  /**
   * The saga of the handler; without one, there is only the outbox. `createHandler` takes it as its
   * argument.
   */
  saga?: SagaRules;
}

/** Options of the endpoint that the batch handler needs too. */
type SharedOptions = 'endpoint' | 'destinations' | 'sqsClient' | 'logger' | 'onEvent' | 'metrics' | 'tracing';

export interface SqsBatchOptions extends EnvelopeOptions, Pick<EndpointOptions, SharedOptions> {
  /**
   * The number of messages of one batch that are handled at a time.
   *
   * @default 50
   */
  concurrency?: number;
  /**
   * Whether an invocation in which every record failed throws `BatchFailed`, so that Lambda's `Errors`
   * metric shows an outage; see docs/guide/recoverability.md#when-every-record-fails. Conflicts, lock
   * timeouts, waits that a policy asked for and records that were not started are no failures here. The
   * records keep their delays.
   *
   * @default true
   */
  throwOnFullBatchFailure?: boolean;
  /**
   * Whether the handler has an outbox. Use `false` if it has no `sagaOutbox`, or one with `outbox: false`:
   * the policy may then ignore a message that fails before `sagaOutbox`, which is never committed.
   *
   * @default true
   */
  outbox?: boolean;
  /** How sagabox handles a failed message; see docs/guide/recoverability.md. */
  recoverability?: RecoverabilityOptions;
  /**
   * The URL of the queue for messages that cannot be handled; see
   * docs/guide/recoverability.md#the-error-queue.
   *
   * @default the environment variable SAGABOX_ERROR_QUEUE, else none: they take the way to the dead letter
   *   queue
   */
  errorQueueUrl?: string;
  /**
   * The number of deliveries after which the queue moves a message to its dead letter queue. A message that
   * fails at the last one is forwarded to the error queue.
   *
   * @default the environment variable SAGABOX_MAX_RECEIVE_COUNT, else not known
   */
  maxReceiveCount?: number;
  /**
   * The URL of the queue that the messages come from. If it is not known, a message that failed is delivered
   * again after the queue's visibility timeout rather than after its own delay.
   *
   * @default the endpoint's own among the `destinations`
   */
  queueUrl?: string;
  /**
   * How much of an invocation's time is kept back at its end, at most 20 %, 10 % and 5 % of it; see
   * docs/guide/recoverability.md#time.
   *
   * @default { start: { seconds: 2 }, abort: { seconds: 1 }, giveUp: { milliseconds: 500 } }
   */
  timeMargins?: TimeMarginsOptions;
}

/** The options of `sagaOutbox` and `sqsBatch`, but for saga and contracts: a definition has its own. */
export interface CreateHandlerOptions
  extends Omit<SagaOutboxOptions, 'saga' | keyof ListedContracts>,
    SqsBatchOptions {}

export interface TimeMarginsOptions {
  /** With less time left, no message is started. */
  start?: Duration;
  /** With so much time left, the `signal` of running handlers is aborted. */
  abort?: Duration;
  /** With so much time left, a message that has no end yet is returned. */
  giveUp?: Duration;
}
