import type { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Architecture, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ClaimCheckOptions } from '../claim-check/claim-check.ts';
import type { ClaimCheckBucket } from '../claim-check/claim-check-bucket.ts';
import type { AnyFunction } from '../construct-types.ts';
import type { EmittedMetricsProps } from '../monitoring/metrics-environment.ts';
import type { MessageScheduler } from '../scheduler/message-scheduler.ts';
import type { EndpointQueueProps } from './endpoint-queue-props.ts';
import type { EndpointTableProps } from './endpoint-table-props.ts';
import type { FunctionProps } from './function-props.ts';

/** Settings of a {@link MessageEndpoint} that do not depend on where its function comes from. */
export interface MessageEndpointCommonProps
  extends EndpointQueueProps,
    EndpointTableProps,
    EmittedMetricsProps {
  /**
   * The name of the endpoint as a destination, and the scope of its deduplication: each endpoint handles a
   * message once. A deployed endpoint that you rename forgets what it has handled, and refuses messages of its
   * sagas with an embedded outbox. Without `#`.
   *
   * @default - the construct's id in lower case
   */
  readonly endpointName?: string;

  /**
   * Enables the event source mapping. With `false`, messages wait in the queue.
   *
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * The maximum number of messages of one invocation: 1 to 10, or up to 10,000 for a standard queue with a
   * `maxBatchingWindow`.
   *
   * @default 10
   */
  readonly batchSize?: number;

  /**
   * How long Lambda waits for a batch to fill, up to 5 minutes. For standard queues only.
   *
   * @default - none
   */
  readonly maxBatchingWindow?: Duration;

  /**
   * The maximum number of concurrent invocations for the queue, 2 to 1000. Set it to at most the reserved
   * concurrency of the function: Lambda would throttle deliveries, which count as received.
   *
   * @default - the concurrency of the account
   */
  readonly maxConcurrency?: number;

  /**
   * How long a received message stays hidden from other receivers: at least 6 times the function's timeout
   * plus the `maxBatchingWindow`, at most 12 hours.
   *
   * @default - 6 times the function's timeout plus the `maxBatchingWindow`
   */
  readonly visibilityTimeout?: Duration;

  /**
   * How often a message is received before SQS moves it to the dead letter queue, 1 to 1000.
   *
   * @default 5
   */
  readonly maxReceiveCount?: number;

  /**
   * How long the queue keeps a message. `deduplicationPeriod` grows with it.
   *
   * @default Duration.days(4)
   */
  readonly retention?: Duration;

  /**
   * How long the handlers remember a handled message: at least twice the `retention` plus the
   * `deadLetterRetention`, because a copy of it can wait in the queue, then in the error queue or dead letter
   * queue, and in the queue again after a redrive. Of a dead letter queue and an error queue of the app, their
   * own retention counts, whichever is longer. Set more if you redrive messages more than once.
   *
   * @default - twice the `retention` plus the `deadLetterRetention`, at least 7 days: 15 days by their
   *   defaults
   */
  readonly deduplicationPeriod?: Duration;

  /**
   * How long the dead letter queue and the error queue that the endpoint creates keep a message, at least the
   * `retention`. `deduplicationPeriod` grows with it. If one of them is imported, set this to what that keeps,
   * whichever is longer; one of the app tells it by itself, and must also keep messages for the `retention`.
   *
   * @default Duration.days(7)
   */
  readonly deadLetterRetention?: Duration;

  /**
   * The customer managed key of all queues that the endpoint creates, of the dead letter queue of its own
   * scheduler, and of the log group that it makes for its function. Senders and handlers are granted its use. The policy
   * of an imported key must allow `logs.<region>.amazonaws.com` for that log group, and `sns.amazonaws.com` and
   * `events.amazonaws.com` if the endpoint subscribes.
   *
   * @default - a key owned by SQS, and one of CloudWatch Logs
   */
  readonly encryptionKey?: IKey;

  /**
   * Patterns of ARNs in place of the exact list of topics and rules that may send to the queues. They are
   * used once that list exceeds 6,144 of the 8,192 bytes of a queue policy, at about 50 topics, and they open
   * the queues to every topic or rule whose name matches. Account and region are exact, as in
   * `arn:aws:sns:eu-west-1:111111111111:shop-*` or `arn:aws:events:eu-west-1:111111111111:rule/shop-*`. All
   * sources of a service must match one of its patterns, which is checked at synth, except for names that are
   * known only at deployment. CloudFormation begins the names that it makes up with the name of the stack: so
   * begin those of the rules of `subscribesTo`, in which a stack name over 20 characters may be shortened.
   * Source: "Amazon SQS policy quotas".
   *
   * @default - the exact list, and a violation if it does not fit
   */
  readonly sourcesByNamePattern?: readonly string[];

  /**
   * Delays over the 15 minutes of SQS, and delays to FIFO queues, by one-time schedules of EventBridge
   * Scheduler. `true` creates a scheduler for this endpoint. Several endpoints can share a
   * {@link MessageScheduler}.
   *
   * @default false
   */
  readonly scheduler?: boolean | MessageScheduler;

  /**
   * Stores large bodies in a bucket: those over `thresholdBytes` as JSON, 64 KiB by default, and those that
   * make a message too large for its destination. Receivers need the same bucket.
   *
   * @default - none: a body that is too large for its destination is refused
   */
  readonly claimCheck?: ClaimCheckBucket | ClaimCheckOptions;

  /**
   * Further environment variables of the function. Their names must not begin with `SAGABOX_`.
   *
   * @default - none
   */
  readonly environment?: Readonly<Record<string, string>>;

  /**
   * Adds an output to the stack, with the queues of the endpoint and the variables of its function. `sagabox
   * redrive` and `sagabox relay` read it: `--stack Shop --endpoint orders`.
   *
   * @default true
   */
  readonly operatingOutput?: boolean;
}

/** The function is bundled from `entry` with esbuild on the machine that runs synth. */
export interface BundledEndpointProps extends MessageEndpointCommonProps {
  /**
   * The TypeScript or JavaScript file that exports `handler`. `esbuild` must be installed in the project.
   */
  readonly entry: string;
  readonly function?: never;

  /**
   * The timeout of the function, up to 15 minutes.
   *
   * @default Duration.seconds(30)
   */
  readonly functionTimeout?: Duration;

  /**
   * The memory of the function in MB, 128 to 10,240. Its share of CPU grows with it.
   *
   * @default 512
   */
  readonly memorySizeMb?: number;

  /**
   * The instruction set of the function.
   *
   * @default Architecture.ARM_64
   */
  readonly architecture?: Architecture;

  /**
   * Settings of esbuild that replace the defaults. In an ES module, your `banner` follows the one that
   * defines `require` for CommonJS packages, unless yours defines it.
   *
   * @default - ES module, minified with its names kept, with source maps, `@aws-sdk/*` and `@smithy/*` external
   */
  readonly bundling?: BundlingOptions;

  /**
   * What Lambda does with a chain of more than about 16 messages, each sent while the previous one is
   * handled. With `RecursiveLoop.TERMINATE`, the next message goes to the dead letter queue, also that of a
   * saga that polls as it should. With `RecursiveLoop.ALLOW`, nothing ends a runaway loop: cap it by
   * `maxConcurrency`.
   *
   * @default RecursiveLoop.ALLOW
   */
  readonly recursiveLoop?: RecursiveLoop;

  /**
   * Further settings of CDK's `NodejsFunction`: tracing, VPC, layers, runtime, role, log group, reserved
   * concurrency and others. Names that it does not have are not reported at synth, as those of the props are.
   *
   * @default - Node.js 24, JSON logs in its own log group, and a role that may write to that group only
   */
  readonly functionProps?: FunctionProps;

  /**
   * How long the log group of the function keeps lines.
   *
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetention?: RetentionDays;

  /**
   * The name of an alias of the current version of the function. The alias then handles the messages, so that
   * CodeDeploy can shift them to a new version.
   *
   * @default - none: the function handles the messages
   */
  readonly aliasName?: string;
}

/** The endpoint adds environment, permissions and event source to a function that exists already. */
export interface ExistingFunctionEndpointProps extends MessageEndpointCommonProps {
  /**
   * A function of the app, or an alias or version of one, for this endpoint alone. Set its `recursiveLoop`:
   * unless that is `RecursiveLoop.ALLOW`, Lambda ends a chain of more than about 16 messages.
   */
  readonly function: AnyFunction;
  readonly entry?: never;
  readonly functionTimeout?: never;
  readonly memorySizeMb?: never;
  readonly architecture?: never;
  readonly bundling?: never;
  readonly recursiveLoop?: never;
  readonly functionProps?: never;
  readonly logRetention?: never;
  readonly aliasName?: never;
}

/** Settings of a {@link MessageEndpoint}: either with an `entry` or with a `function`. */
export type MessageEndpointProps = BundledEndpointProps | ExistingFunctionEndpointProps;

/** All settings, whichever kind of function they are for. */
export type EndpointSettings = MessageEndpointCommonProps &
  Partial<Omit<BundledEndpointProps, 'function'>> & { readonly function?: AnyFunction };
