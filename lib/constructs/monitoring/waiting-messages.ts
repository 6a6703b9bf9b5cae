import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { type ErrorFacts, SagaboxError } from '../../kernel/errors/errors.ts';

/**
 * The messages that wait in a queue that an endpoint may do without.
 *
 * @throws SagaboxError `Configuration` when there is none
 */
export function waitingMessages(
  queue: IQueue | undefined,
  missing: ErrorFacts['Configuration'],
  options: MetricOptions | undefined,
): Metric {
  if (queue === undefined) throw new SagaboxError('Configuration', missing);
  return queue.metricApproximateNumberOfMessagesVisible(options);
}
