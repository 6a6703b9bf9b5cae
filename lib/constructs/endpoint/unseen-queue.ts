import { Annotations, Resource } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { VISIBILITY_PER_FUNCTION_TIMEOUT } from './endpoint-settings.ts';
import type { EndpointTimings } from './endpoint-timings.ts';

/** What cannot be seen of an imported queue, of which messages may be handled twice, or be lost. */
export function warnOfUnseenQueue(
  scope: Construct,
  queue: IQueue,
  { visibilityTimeout }: EndpointTimings,
): void {
  if (Resource.isOwnedResource(queue)) return;
  const seconds = visibilityTimeout.isUnresolved() ? '' : `, ${visibilityTimeout.toSeconds()} s`;
  Annotations.of(scope).addWarningV2(
    'sagabox:importedQueue',
    `queue: '${queue.node.path}' is imported, so that its settings cannot be checked. See that its visibility timeout is at ` +
      `least ${VISIBILITY_PER_FUNCTION_TIMEOUT} times the function's timeout plus the maxBatchingWindow${seconds}, that it has a dead letter queue, and that ` +
      'retention and maxReceiveCount of the endpoint are its own, and deadLetterRetention that of its dead letter queue.',
  );
}
