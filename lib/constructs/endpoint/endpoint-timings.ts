import { Duration } from 'aws-cdk-lib';
import { SagaboxError } from '../../core/failures/errors.ts';
import { endpointDefaults, VISIBILITY_PER_FUNCTION_TIMEOUT } from './endpoint-settings.ts';
import type { MessageEndpointCommonProps } from './message-endpoint-props.ts';

/** How long things take and are kept at an endpoint, and how often they are tried. */
export interface EndpointTimings {
  readonly functionTimeout: Duration;
  readonly visibilityTimeout: Duration;
  readonly retention: Duration;
  readonly deadLetterRetention: Duration;
  readonly deduplicationPeriod: Duration;
  readonly maxReceiveCount: number;
}

export function endpointTimings(
  props: MessageEndpointCommonProps,
  functionTimeout: Duration,
): EndpointTimings {
  const {
    retention = endpointDefaults.retention,
    deadLetterRetention = endpointDefaults.deadLetterRetention,
  } = props;
  return {
    functionTimeout,
    visibilityTimeout: props.visibilityTimeout ?? visibilityFor(functionTimeout),
    retention,
    deadLetterRetention,
    deduplicationPeriod: props.deduplicationPeriod ?? deduplicationFor(props, retention, deadLetterRetention),
    maxReceiveCount: props.maxReceiveCount ?? endpointDefaults.maxReceiveCount,
  };
}

function visibilityFor(functionTimeout: Duration): Duration {
  if (functionTimeout.isUnresolved()) {
    throw new SagaboxError('Configuration', {
      setting: 'visibilityTimeout',
      problem: "it follows from the function's timeout, which is known only at deployment",
      remedy: `Set it, to at least ${VISIBILITY_PER_FUNCTION_TIMEOUT} times the longest timeout`,
    });
  }
  return Duration.seconds(VISIBILITY_PER_FUNCTION_TIMEOUT * functionTimeout.toSeconds());
}

/** As long as a message can come, and never shorter than the handlers remember it by themselves. */
function deduplicationFor(
  { outboxTable }: MessageEndpointCommonProps,
  retention: Duration,
  deadLetterRetention: Duration,
): Duration {
  const { minDeduplicationPeriod: least } = endpointDefaults;
  if (outboxTable === undefined) return least;
  if (retention.isUnresolved() || deadLetterRetention.isUnresolved()) {
    throw new SagaboxError('Configuration', {
      setting: 'deduplicationPeriod',
      problem: 'it follows from retention and deadLetterRetention, of which one is known only at deployment',
      remedy: 'Set it, to at least twice the longest retention and the longest deadLetterRetention',
    });
  }
  const lifetimeSeconds = messageLifetimeSeconds(retention.toSeconds(), deadLetterRetention.toSeconds());
  return Duration.seconds(Math.max(lifetimeSeconds, least.toSeconds()));
}

/**
 * How long after it was first sent a message can be delivered: it may wait in the queue for all of its
 * `retention`, then in the error queue, where it is a new message of SQS, and in the queue again once it is
 * moved back. So may a dead letter of a FIFO queue. Source: "Using dead-letter queues in Amazon SQS"
 * (retention periods).
 */
export function messageLifetimeSeconds(retentionSeconds: number, deadLetterRetentionSeconds: number): number {
  return 2 * retentionSeconds + deadLetterRetentionSeconds;
}
