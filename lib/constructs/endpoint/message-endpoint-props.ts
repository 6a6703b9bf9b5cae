import type { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Architecture, Function as LambdaFunction, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AnyTable } from '../any-resource.ts';
import type { ClaimCheckOptions } from '../claim-check/claim-check.ts';
import type { ClaimCheckBucket } from '../claim-check/claim-check-bucket.ts';
import type { MessageScheduler } from '../scheduler/message-scheduler.ts';

/** Settings of a {@link MessageEndpoint} that do not depend on where its function comes from. */
export interface MessageEndpointCommonProps {
  /**
   * What others send to, and what deduplication is scoped by: a message is handled once by each endpoint.
   * Renaming a deployed endpoint makes it forget what it has handled. Without '#'.
   *
   * @default - the construct's id in lower case
   */
  readonly endpointName?: string;

  /**
   * A {@link SagaTable}, or any table with a partition key and a sort key that are strings. When they are not
   * called PK and SK, or its TTL attribute not ExpiresAt, tell the handler so.
   *
   * @default - none: the endpoint has no sagas
   */
  readonly sagaTable?: AnyTable;

  /**
   * An {@link OutboxTable}, or any table as above, also the `sagaTable`.
   *
   * @default - none: the handlers are made with `outbox: false`
   */
  readonly outboxTable?: AnyTable;

  /**
   * Whether the handlers keep undispatched records in the sparse index of the `outboxTable`, for {@link
   * OutboxRelay} to find them. A table that is neither a {@link SagaTable} nor an {@link OutboxTable} does
   * not tell whether it has the index, 'Undispatched': partition key `recoveryShard`, sort key `storedAt`,
   * both strings.
   *
   * @default - whether the table was made with `relayIndex`; false for any other table
   */
  readonly relayIndex?: boolean;

  /**
   * Whether the queues of the endpoint keep the order within each message group.
   *
   * @default false
   */
  readonly fifo?: boolean;

  /**
   * Messages that one invocation gets at most, 1 to 10.
   *
   * @default 10
   */
  readonly batchSize?: number;

  /**
   * Invocations that run at a time at most, 2 to 1000.
   *
   * @default - as many as the account's concurrency allows
   */
  readonly maxConcurrency?: number;

  /**
   * How long a received message stays hidden from other receivers; at least 6 times the function's timeout.
   *
   * @default - 6 times the function's timeout
   */
  readonly visibilityTimeout?: Duration;

  /**
   * How often a message is received before it goes to the dead letter queue, 1 to 1000.
   *
   * @default 5
   */
  readonly maxReceiveCount?: number;

  /**
   * Takes the messages that the handlers could not handle, each with what went wrong: at once if a retry
   * cannot help, else after the last attempt. Standard or FIFO, as the endpoint's queue is. With `false` they
   * go to the dead letter queue, after `maxReceiveCount` deliveries and without a reason.
   *
   * @default - a queue of its own, encrypted, which keeps messages as long as the dead letter queue
   */
  readonly errorQueue?: IQueue | false;

  /**
   * How long the queue keeps a message. `deduplicationPeriod` grows with it.
   *
   * @default Duration.days(4)
   */
  readonly retention?: Duration;

  /**
   * How long the handlers remember a handled message. At least twice the `retention` and the
   * `deadLetterRetention`: a copy of the message may wait in the queue, then in the error queue or the dead
   * letter queue, and in the queue again once it is moved back. Longer if messages are moved back more than
   * once, or wait longer in an `errorQueue` of your own.
   *
   * @default - twice the `retention` and the `deadLetterRetention`, at least 7 days; with their defaults 15
   *   days
   */
  readonly deduplicationPeriod?: Duration;

  /**
   * How long the dead letter queue and the error queue keep a message; at least the queue's `retention`.
   * `deduplicationPeriod` grows with it.
   *
   * @default Duration.days(7)
   */
  readonly deadLetterRetention?: Duration;

  /**
   * The customer managed key of all queues that the endpoint makes, also of its own scheduler's dead letter
   * queue. Senders and handlers are granted its use; the policy of an imported key must allow
   * sns.amazonaws.com or events.amazonaws.com, when the endpoint subscribes.
   *
   * @default - a key of SQS
   */
  readonly encryptionKey?: IKey;

  /**
   * Lets handlers delay messages and request timeouts beyond the 15 minutes of SQS, and delay messages to
   * FIFO queues: by one-time schedules of EventBridge Scheduler. `true` makes a scheduler for this endpoint;
   * one can also be shared.
   *
   * @default false
   */
  readonly scheduler?: boolean | MessageScheduler;

  /**
   * Stores the bodies that are too large to travel with their messages: those over 64 KiB as JSON, unless
   * `thresholdBytes` says otherwise, and those that make a message too large for its destination. Receivers
   * need the same bucket, in which a body must outlive its message, also one that waits in a schedule.
   *
   * @default - none: bodies that a service does not take are refused
   */
  readonly claimCheck?: ClaimCheckBucket | ClaimCheckOptions;

  /**
   * Environment variables for the function besides sagabox's own; their names do not begin with SAGABOX_.
   *
   * @default - none
   */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The function is bundled from `entry` with esbuild on the machine that runs synth. */
export interface BundledEndpointProps extends MessageEndpointCommonProps {
  /**
   * The TypeScript or JavaScript file that exports `handler`. Needs `esbuild` among the project's packages.
   */
  readonly entry: string;
  readonly function?: never;

  /**
   * After which time an invocation is ended, up to 15 minutes.
   *
   * @default Duration.seconds(30)
   */
  readonly functionTimeout?: Duration;

  /**
   * The function's memory in MB; its share of CPU grows with it.
   *
   * @default 512
   */
  readonly memorySizeMb?: number;

  /** @default Architecture.ARM_64 */
  readonly architecture?: Architecture;

  /**
   * What to bundle otherwise than by default. In an ES module, a `banner` of your own stands after the one by
   * which CommonJS packages find `require`, unless it declares that itself.
   *
   * @default - ES module, minified, `@aws-sdk/*` and `@smithy/*` external
   */
  readonly bundling?: BundlingOptions;

  /**
   * What Lambda does with a chain of more than about 16 messages, of which each is sent while the one before
   * is handled, as by sagas that poll. If not allowed, the next message goes to the dead letter queue, and
   * the handler never sees it.
   *
   * @default RecursiveLoop.ALLOW
   */
  readonly recursiveLoop?: RecursiveLoop;
}

/** The endpoint adds environment, permissions and event source to a function that exists already. */
export interface ExistingFunctionEndpointProps extends MessageEndpointCommonProps {
  /**
   * A function made for this endpoint alone: its environment holds one endpoint. Give it `recursiveLoop`:
   * unless that is `RecursiveLoop.ALLOW`, Lambda ends a chain of more than about 16 messages.
   */
  readonly function: LambdaFunction;
  readonly entry?: never;
  readonly functionTimeout?: never;
  readonly memorySizeMb?: never;
  readonly architecture?: never;
  readonly bundling?: never;
  readonly recursiveLoop?: never;
}

/** Settings of a {@link MessageEndpoint}: either with an `entry` or with a `function`. */
export type MessageEndpointProps = BundledEndpointProps | ExistingFunctionEndpointProps;
