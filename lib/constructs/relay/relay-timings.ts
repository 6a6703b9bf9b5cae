import { Duration } from 'aws-cdk-lib';
import { outboxRelayDefaults } from './outbox-relay-props.ts';

/** Source: "Lambda quotas" (timeout). */
const MAX_FUNCTION_TIMEOUT_SECONDS = 900;
/** Source: "PutFunctionEventInvokeConfig" (MaximumEventAgeInSeconds). */
const eventAgeSeconds = { min: 60, max: 21_600 } as const;

/**
 * The longest that a run which begins in time may take without the next one beginning meanwhile. One whose
 * event was delayed can meet the next one: each record is leased by one of them.
 */
export function longestRun(every: Duration): Duration {
  if (every.isUnresolved()) return Duration.seconds(MAX_FUNCTION_TIMEOUT_SECONDS);
  return Duration.seconds(Math.min(every.toSeconds(), MAX_FUNCTION_TIMEOUT_SECONDS));
}

/**
 * How long the event of a run may wait, as while the account is throttled: by then the next one is there, and
 * runs would pile up and begin together. Lambda takes no less than a minute, so that with the shortest `every`
 * there is no room for both a wait and a run.
 */
export function longestWait(every: Duration): Duration {
  if (every.isUnresolved()) return longestWait(outboxRelayDefaults.every);
  const { min, max } = eventAgeSeconds;
  return Duration.seconds(Math.min(Math.max(every.toSeconds(), min), max));
}
