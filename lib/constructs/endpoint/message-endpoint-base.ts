import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { grantSend, senderProblem } from '../destinations/queue-access.ts';
import { assertGrantee, refusedGrant } from '../grantees.ts';
import { emittedMetric } from '../monitoring/emitted-metric.ts';
import { waitingMessages } from '../monitoring/waiting-messages.ts';
import type { IMessageEndpoint } from './message-endpoint-interface.ts';

/** What an endpoint's queues offer, wherever it is declared. */
export abstract class MessageEndpointBase extends Construct implements IMessageEndpoint {
  abstract readonly endpointName: string;
  abstract readonly queue: IQueue;
  /** Messages received `maxReceiveCount` times, and those that a source of its kind could not deliver. */
  abstract readonly deadLetterQueue: IQueue | undefined;
  /** Takes the messages that could not be handled, each with what went wrong. */
  abstract readonly errorQueue: IQueue | undefined;
  /** Of the metrics that the function emits by itself; `undefined` if it emits none, or it is not known. */
  abstract readonly metricsNamespace: string | undefined;

  /** Allows to send messages to the endpoint's queue, and nothing else. */
  grantSendMessages(grantee: IGrantable): Grant {
    assertGrantee('grantSendMessages', this, grantee);
    const problem = senderProblem(this.queue, grantee);
    if (problem !== undefined) return refusedGrant(this, 'grantSendMessages', grantee, problem);
    return grantSend(this.queue, grantee);
  }

  /**
   * A metric that the function emits by itself, such as `MessagesFailed`: its sum, unless `options` say
   * otherwise. The operations guide lists the names.
   *
   * @throws SagaboxError `Configuration` when the endpoint has no `metricsNamespace`
   */
  metric(metricName: string, options?: MetricOptions): Metric {
    return emittedMetric(this, this, metricName, options);
  }

  metricWaitingMessages(options?: MetricOptions): Metric {
    return this.queue.metricApproximateNumberOfMessagesVisible(options);
  }

  /** How long, in seconds, the oldest message has waited. */
  metricAgeOfOldestMessageSeconds(options?: MetricOptions): Metric {
    return this.queue.metricApproximateAgeOfOldestMessage(options);
  }

  /**
   * The messages that could not be handled, and wait in the error queue: the depth of a queue, so count its
   * maximum, and never a sum.
   *
   * @throws SagaboxError `Configuration` when the endpoint has none, or it is not known
   */
  metricErrorQueueMessages(options?: MetricOptions): Metric {
    return waitingMessages(
      this.errorQueue,
      this.#missing('errorQueue', 'metricDeadLetterQueueMessages'),
      options,
    );
  }

  /**
   * The messages that could not be handled, or not be delivered, and wait in the dead letter queue: the depth
   * of a queue, so count its maximum, and never a sum.
   *
   * @throws SagaboxError `Configuration` when it is not known
   */
  metricDeadLetterQueueMessages(options?: MetricOptions): Metric {
    const missing = this.#missing('deadLetterQueue', 'metricErrorQueueMessages');
    return waitingMessages(this.deadLetterQueue, missing, options);
  }

  #missing(queue: string, other: string) {
    const setting = `${queue} of '${this.node.path}'`;
    const remedy = `Give the endpoint one, or watch ${other}`;
    return { setting, problem: 'there is none, or it is not known', remedy };
  }
}
