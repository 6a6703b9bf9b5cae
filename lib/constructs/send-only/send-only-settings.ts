import type { Construct } from 'constructs';
import { consistentProps } from '../checks/prop-rows.ts';
import { withoutElsewhere } from '../places.ts';
import { withUsableKeys } from '../usable-keys.ts';
import type { Violations } from '../violations.ts';
import { type SendOnlyEndpointProps, sendOnlyEndpointRows } from './send-only-endpoint-props.ts';

/** The outbox table may be missing, which is reported. */
export type SendOnlySettings = Partial<SendOnlyEndpointProps>;

const placeRemedies = { scheduler: 'Use a MessageScheduler of the same account and region' } as const;

/** Reports each setting that is of another kind, wrong by itself or at the place of the endpoint, and leaves it out. */
export function validSendOnlySettings(
  endpoint: Construct,
  given: SendOnlyEndpointProps,
  violations: Violations,
): SendOnlySettings {
  const consistent = consistentProps(given, sendOnlyEndpointRows, [], violations, ['outboxTable']);
  const inPlace = withoutElsewhere(endpoint, consistent, placeRemedies, violations);
  return withUsableKeys(endpoint, inPlace, ['encryptionKey'], violations);
}
