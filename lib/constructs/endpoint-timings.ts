import { Duration } from 'aws-cdk-lib';
import { SagaboxError } from '../core/errors.ts';
import { endpointDefaults, VISIBILITY_PER_FUNCTION_TIMEOUT } from './endpoint-settings.ts';
import type { MessageEndpointCommonProps } from './message-endpoint-props.ts';

/** How long things take and are kept at an endpoint, and how often they are tried. */
export interface EndpointTimings {
  readonly functionTimeout: Duration;
  readonly visibilityTimeout: Duration;
  readonly retention: Duration;
  readonly deadLetterRetention: Duration;
  readonly timeToKeepDeduplicationData: Duration;
  readonly maxReceiveCount: number;
}

export function endpointTimings(
  props: MessageEndpointCommonProps,
  functionTimeout: Duration,
): EndpointTimings {
  return {
    functionTimeout,
    visibilityTimeout: props.visibilityTimeout ?? visibilityFor(functionTimeout),
    retention: props.retention ?? endpointDefaults.retention,
    deadLetterRetention: props.deadLetterRetention ?? endpointDefaults.deadLetterRetention,
    timeToKeepDeduplicationData:
      props.timeToKeepDeduplicationData ?? endpointDefaults.timeToKeepDeduplicationData,
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
