import { defined } from '../../kernel/defined.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';
import { isRelayStrategy, type RelayStrategy, relayDefaults } from '../../relay/relay-defaults.ts';
import { relaySetting } from '../../settings/relay.ts';
import { decoded, type Environment } from '../../settings/setting.ts';
import { durationMs, positiveNumber, wholeNumber } from '../settings.ts';
import type { RelayOutboxOptions } from './relay-options.ts';

/**
 * The settings that all endpoints of a relay share.
 *
 * @throws SagaboxError `Configuration`
 */
export function relaySettings(options: RelayOutboxOptions, environment: Environment) {
  const { olderThanSeconds: seconds, ...relay } = decoded(relaySetting, environment) ?? {};
  const settings = {
    ...relayDefaults,
    ...(seconds !== undefined && { olderThan: { seconds } }),
    ...relay,
    ...defined(options),
  };
  return {
    strategy: checkedStrategy(settings.strategy),
    olderThanMs: durationMs('olderThan', settings.olderThan),
    leaseDurationMs: durationMs('leaseDuration', settings.leaseDuration, { min: 1 }),
    maxReadUnitsPerSecond: positiveNumber('maxReadUnitsPerSecond', settings.maxReadUnitsPerSecond),
    segments: wholeNumber('segments', settings.segments, 1),
    concurrency: wholeNumber('concurrency', settings.concurrency, 1),
    includePostponed: settings.includePostponed,
  };
}

function checkedStrategy(strategy: unknown): RelayStrategy {
  if (isRelayStrategy(strategy)) return strategy;
  throw configurationError('strategy', `it is ${describeValue(strategy)}`, "Use 'stream' or 'scan'");
}
