import type { Construct } from 'constructs';
import { consistentProps } from '../checks/prop-rows.ts';
import { withoutElsewhere } from '../places.ts';
import { withUsableKeys } from '../usable-keys.ts';
import type { Violations } from '../violations.ts';
import { endpointRows } from './endpoint-rows.ts';
import { withUsableErrorQueue } from './error-queue.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { settingRules } from './prop-rules.ts';

/**
 * What has to be where the endpoint is. Source: "Creating and configuring an Amazon SQS event source mapping" (the
 * queue is in the same region).
 */
const placeRemedies = {
  queue: 'Use a queue of the same account and region, or import one of another account by Queue.fromQueueArn',
  scheduler: 'Use a MessageScheduler of the same account and region',
} as const;

/**
 * Reports each setting that is of another kind, wrong by itself, beside the others, or at the place of the
 * endpoint, and leaves it out.
 */
export function validSettings(
  endpoint: Construct,
  given: EndpointSettings,
  violations: Violations,
): EndpointSettings {
  const consistent = consistentProps(given, endpointRows, settingRules, violations);
  const inPlace = withoutElsewhere(endpoint, consistent, placeRemedies, violations);
  const settings = withUsableKeys(endpoint, inPlace, ['encryptionKey'], violations);
  return withUsableErrorQueue(endpoint, settings, violations);
}
