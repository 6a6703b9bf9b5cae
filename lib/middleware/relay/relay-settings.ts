import { configurationError } from '../../core/failures/errors.ts';
import { describeValue } from '../../core/failures/thrown.ts';
import { isRelayStrategy, type RelayStrategy, relayDefaults } from '../../core/outbox/relay-defaults.ts';
import { durationMs, type Environment, positiveNumber, wholeNumber } from '../settings.ts';
import type { RelayOutboxOptions } from './relay-options.ts';
import { statedRelay } from './stated-relay.ts';

/**
 * The settings that all endpoints of a relay share.
 *
 * @throws SagaboxError `Configuration`
 */
export function relaySettings(options: RelayOutboxOptions, environment: Environment) {
  const stated = statedRelay(environment);
  const { olderThanSeconds } = stated;
  const olderThan =
    options.olderThan ??
    (olderThanSeconds === undefined ? relayDefaults.olderThan : { seconds: Number(olderThanSeconds) });
  const maxReadUnitsPerSecond =
    options.maxReadUnitsPerSecond ??
    Number(stated.maxReadUnitsPerSecond ?? relayDefaults.maxReadUnitsPerSecond);
  const {
    segments = relayDefaults.segments,
    concurrency = relayDefaults.concurrency,
    leaseDuration = relayDefaults.leaseDuration,
    includePostponed = relayDefaults.includePostponed,
  } = options;
  return {
    strategy: strategyOf(options, stated.strategy),
    olderThanMs: durationMs('olderThan', olderThan),
    leaseDurationMs: durationMs('leaseDuration', leaseDuration, { min: 1 }),
    maxReadUnitsPerSecond: positiveNumber('maxReadUnitsPerSecond', maxReadUnitsPerSecond),
    segments: wholeNumber('segments', segments, 1),
    concurrency: wholeNumber('concurrency', concurrency, 1),
    includePostponed,
  };
}

function strategyOf(options: RelayOutboxOptions, stated: unknown): RelayStrategy {
  const strategy = options.strategy ?? stated ?? relayDefaults.strategy;
  if (isRelayStrategy(strategy)) return strategy;
  throw configurationError('strategy', `it is ${describeValue(strategy)}`, "Use 'stream' or 'scan'");
}
