import type { Construct } from 'constructs';
import { checkedProps } from '../checks/prop-checks.ts';
import { withUsableKey } from '../destinations/queue-encryption.ts';
import type { Violations } from '../violations.ts';
import { endpointChecks } from './endpoint-checks.ts';
import { withUsableErrorQueue } from './error-queue.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { settingRules } from './setting-rules.ts';

/**
 * Reports each setting that is of another kind, wrong by itself, beside the others, or at the place of the
 * endpoint, and leaves it out.
 */
export function validSettings(
  endpoint: Construct,
  given: EndpointSettings,
  violations: Violations,
): EndpointSettings {
  const ofKind = checkedProps(given, endpointChecks, violations);
  const settings = withUsableKey(endpoint, consistentSettings(ofKind, violations), violations);
  return withUsableErrorQueue(endpoint, settings, violations);
}

function consistentSettings(given: EndpointSettings, violations: Violations): EndpointSettings {
  let settings = given;
  for (const { setting, problemOf } of settingRules) {
    const found = problemOf(settings);
    if (found === undefined) continue;
    violations.add(setting, found.problem, found.remedy);
    settings = Object.fromEntries(Object.entries(settings).filter(([name]) => name !== setting));
  }
  return settings;
}
