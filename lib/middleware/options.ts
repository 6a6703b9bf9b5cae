import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SagaRules } from '../core/define-saga.ts';
import type { Duration } from '../core/duration.ts';
import type { EnvelopeOptions } from '../core/envelope.ts';
import type { MessageLogger } from '../core/handler-context.ts';
import type { StateMapper } from '../dynamodb/mapper.ts';
import type { TableConfiguration } from '../dynamodb/table.ts';
import type { FlowHooks } from '../flow/attempt.ts';
import type { ImmediateRetries } from '../flow/retry.ts';
import type { Ports } from '../ports.ts';

/** Options of one endpoint: what processes its messages, and where. */
export interface EndpointOptions extends FlowHooks {
  /**
   * Scopes deduplication: two endpoints may each process one message.
   *
   * @default the environment variable SAGABOX_ENDPOINT
   */
  endpoint?: string;
  /** @default the table named by the environment variable SAGABOX_SAGA_TABLE */
  sagaTable?: TableConfiguration;
  /**
   * May be the saga table.
   *
   * @default the table named by the environment variable SAGABOX_OUTBOX_TABLE
   */
  outboxTable?: TableConfiguration;
  /**
   * Queue URLs by destination name. For timeouts, the endpoint's own queue is one of them, under the endpoint's name.
   *
   * @default the JSON object in the environment variable SAGABOX_DESTINATIONS, else none
   */
  destinations?: Readonly<Record<string, string>>;
  /**
   * `false`: duplicates are not found, and outgoing messages are sent after the commit without being kept before.
   *
   * @default true
   */
  outbox?: boolean;
  /**
   * How long a message is known after its dispatch. Longer than it can be delivered again, by hand too.
   *
   * @default { days: 7 }
   */
  timeToKeepDeduplicationData?: Duration;
  /** @default plain objects to and from DynamoDB's types */
  mapper?: StateMapper;
  /** @default a client with the SDK's own defaults, shared by all endpoints of the process */
  dynamoDBClient?: DynamoDBClient;
  /** @default a client with the SDK's own defaults, shared by all endpoints of the process */
  sqsClient?: SQSClient;
  /** @default console */
  logger?: MessageLogger;
  /**
   * Replaces AWS, for tests.
   *
   * @default DynamoDB and SQS
   */
  ports?: Ports;
}

export interface SagaOutboxOptions extends EndpointOptions, EnvelopeOptions {
  /** Without it, outbox only. */
  saga?: SagaRules;
}

export interface SqsBatchOptions extends EnvelopeOptions {
  /**
   * Messages of one batch at a time.
   *
   * @default 10
   */
  concurrency?: number;
  /** What is tried again within the invocation: conflicts, throttling and the like, with full-jitter backoff. */
  recoverability?: {
    /** @default { maximumRetries: 5, baseDelayMs: 50, maximumDelayMs: 2000 } */
    immediateRetries?: Partial<ImmediateRetries>;
  };
  /** @default console */
  logger?: MessageLogger;
}
