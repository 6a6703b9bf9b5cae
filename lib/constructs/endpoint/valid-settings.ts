import type { Construct } from 'constructs';
import { checkedProps } from '../checks/prop-checks.ts';
import { withoutElsewhere } from '../places.ts';
import { withUsableKeys } from '../usable-keys.ts';
import type { Violations } from '../violations.ts';
import { endpointChecks } from './endpoint-checks.ts';
import { withUsableErrorQueue } from './error-queue.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { settingRules } from './setting-rules.ts';

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
  const consistent = consistentSettings(checkedProps(given, endpointChecks, violations), violations);
  const inPlace = withoutElsewhere(endpoint, consistent, placeRemedies, violations);
  const settings = withUsableKeys(endpoint, inPlace, ['encryptionKey'], violations);
  return withUsableErrorQueue(endpoint, settings, violations);
}

/** What the rules of an endpoint's settings look at alone may be what another kind of endpoint has of them. */
export function consistentSettings<S extends Partial<EndpointSettings>>(given: S, violations: Violations): S {
  let settings = given;
  for (const { setting, problemOf } of settingRules) {
    const found = problemOf(settings);
    if (found === undefined) continue;
    violations.add(setting, found.problem, found.remedy);
    settings = Object.fromEntries(Object.entries(settings).filter(([name]) => name !== setting)) as S;
  }
  return settings;
}
