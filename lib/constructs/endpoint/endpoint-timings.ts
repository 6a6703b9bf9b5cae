import { Duration } from 'aws-cdk-lib';
import type { Violations } from '../violations.ts';
import { endpointDefaults, VISIBILITY_PER_FUNCTION_TIMEOUT } from './endpoint-settings.ts';
import { settingsOfQueue } from './existing-queue.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';

/** How long things take and are kept at an endpoint, and how often they are tried. */
export interface EndpointTimings {
  readonly functionTimeout: Duration;
  readonly visibilityTimeout: Duration;
  readonly retention: Duration;
  readonly deadLetterRetention: Duration;
  readonly deduplicationPeriod: Duration;
  readonly maxReceiveCount: number;
  /** @default - none */
  readonly maxBatchingWindow: Duration | undefined;
}

export function endpointTimings(
  given: EndpointSettings,
  functionTimeout: Duration,
  violations: Violations,
): EndpointTimings {
  const props = { ...given, ...settingsOfQueue(given.queue) };
  const {
    retention = endpointDefaults.retention,
    deadLetterRetention = endpointDefaults.deadLetterRetention,
  } = props;
  return {
    functionTimeout,
    maxBatchingWindow: props.maxBatchingWindow,
    visibilityTimeout: props.visibilityTimeout ?? visibilityFor(props, functionTimeout, violations),
    retention,
    deadLetterRetention,
    deduplicationPeriod:
      props.deduplicationPeriod ?? deduplicationFor(props, retention, deadLetterRetention, violations),
    maxReceiveCount: props.maxReceiveCount ?? endpointDefaults.maxReceiveCount,
  };
}

function visibilityFor(
  { maxBatchingWindow = Duration.seconds(0) }: EndpointSettings,
  functionTimeout: Duration,
  violations: Violations,
): Duration {
  if (functionTimeout.isUnresolved() || maxBatchingWindow.isUnresolved()) {
    violations.add(
      'visibilityTimeout',
      "it follows from the function's timeout and maxBatchingWindow, of which one is known only at deployment",
      `Set it, to at least ${VISIBILITY_PER_FUNCTION_TIMEOUT} times the longest timeout`,
    );
    return Duration.hours(12);
  }
  const seconds =
    VISIBILITY_PER_FUNCTION_TIMEOUT * functionTimeout.toSeconds() + maxBatchingWindow.toSeconds();
  // More is reported by the rules of the function's timeout.
  return Duration.seconds(Math.min(seconds, Duration.hours(12).toSeconds()));
}

/** As long as a message can come, and never shorter than the handlers remember it by themselves. */
function deduplicationFor(
  { outboxTable }: EndpointSettings,
  retention: Duration,
  deadLetterRetention: Duration,
  violations: Violations,
): Duration {
  const { minDeduplicationPeriod: least } = endpointDefaults;
  if (outboxTable === undefined) return least;
  if (retention.isUnresolved() || deadLetterRetention.isUnresolved()) {
    violations.add(
      'deduplicationPeriod',
      'it follows from retention and deadLetterRetention, of which one is known only at deployment',
      'Set it, to at least twice the longest retention and the longest deadLetterRetention',
    );
    return least;
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
