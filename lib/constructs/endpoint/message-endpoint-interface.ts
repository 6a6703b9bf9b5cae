import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';

/** An endpoint that others send to: one of this app, or one that is declared elsewhere. */
export interface IMessageEndpoint extends IConstruct {
  /** The name of the destination in `send(name, …)`. */
  readonly endpointName: string;
  /** The queue that the endpoint handles. */
  readonly queue: IQueue;
  /**
   * Takes messages that were received `maxReceiveCount` times.
   *
   * @default - not known
   */
  readonly deadLetterQueue?: IQueue | undefined;
  /**
   * Takes messages that cannot be handled, each with its failure.
   *
   * @default - none, or not known
   */
  readonly errorQueue?: IQueue | undefined;
  /**
   * The maximum size of a message with its attributes, in bytes.
   *
   * @default - that of the queue
   */
  readonly maxMessageSizeBytes?: number | undefined;

  /** Allows sending to the endpoint's queue, and nothing else. */
  grantSendMessages(grantee: IGrantable): Grant;
  /** A metric that the function emits by itself, if the `metricsNamespace` is known. */
  metric(metricName: string, options?: MetricOptions): Metric;
  metricWaitingMessages(options?: MetricOptions): Metric;
  /** How long, in seconds, the oldest message has waited. */
  metricAgeOfOldestMessageSeconds(options?: MetricOptions): Metric;
}
