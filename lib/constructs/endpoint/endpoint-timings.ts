import { Duration } from 'aws-cdk-lib';
import { messageLifetimeSeconds } from '../../kernel/message-lifetime.ts';
import type { Violations } from '../violations.ts';
import { endpointDefaults } from './endpoint-rows.ts';
import { minDeduplicationPeriod, VISIBILITY_PER_FUNCTION_TIMEOUT } from './endpoint-settings.ts';
import { failureRetentions, settingsOfQueue } from './existing-queue.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';

/** How long things take and are kept at an endpoint, and how often they are tried. */
export interface EndpointTimings {
  readonly functionTimeout: Duration;
  readonly visibilityTimeout: Duration;
  readonly retention: Duration;
  /** Of the queues that the endpoint makes for what could not be handled, or delivered. */
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
  const retentions = failureRetentions(props, deadLetterRetention);
  return {
    functionTimeout,
    maxBatchingWindow: props.maxBatchingWindow,
    visibilityTimeout: props.visibilityTimeout ?? visibilityFor(props, functionTimeout, violations),
    retention,
    deadLetterRetention,
    deduplicationPeriod:
      props.deduplicationPeriod ?? deduplicationFor(props, retention, retentions, violations),
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
  failureRetentions: readonly Duration[],
  violations: Violations,
): Duration {
  const least = minDeduplicationPeriod;
  if (outboxTable === undefined) return least;
  if ([retention, ...failureRetentions].some((each) => each.isUnresolved())) {
    violations.add(
      'deduplicationPeriod',
      'it follows from retention and deadLetterRetention, of which one is known only at deployment',
      'Set it, to at least twice the longest retention and the longest deadLetterRetention',
    );
    return least;
  }
  const longest = Math.max(...failureRetentions.map((each) => each.toSeconds()));
  const lifetimeSeconds = messageLifetimeSeconds(retention.toSeconds(), longest);
  return Duration.seconds(Math.max(lifetimeSeconds, least.toSeconds()));
}
