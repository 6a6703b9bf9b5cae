import { parseJsonSetting } from '../../core/checks/json-setting.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { describeValue } from '../../core/failures/thrown.ts';
import { isRelayStrategy, type RelayStrategy, relayDefaults } from '../../core/outbox/relay-defaults.ts';
import { usesRelayIndex } from '../sending-settings.ts';
import { durationMs, type Environment, positiveNumber, wholeNumber } from '../settings.ts';
import type { RelayOutboxOptions } from './relay-options.ts';

export interface ConfiguredRelay {
  readonly strategy: RelayStrategy;
  readonly olderThanMs: number;
  readonly leaseDurationMs: number;
  readonly maxReadUnitsPerSecond: number;
  readonly segments: number;
  readonly concurrency: number;
  readonly includePostponed: boolean;
}

/** @throws SagaboxError `Configuration` */
export function relaySettings(options: RelayOutboxOptions, environment: Environment): ConfiguredRelay {
  const stated = statedIn(environment);
  const { olderThanSeconds } = stated;
  const olderThan =
    options.olderThan ??
    (olderThanSeconds === undefined ? relayDefaults.olderThan : { seconds: Number(olderThanSeconds) });
  const maxReadUnitsPerSecond =
    options.maxReadUnitsPerSecond ??
    Number(stated.maxReadUnitsPerSecond ?? relayDefaults.maxReadUnitsPerSecond);
  const { segments = relayDefaults.segments, concurrency = relayDefaults.concurrency } = options;
  return {
    strategy: strategyOf(options, environment, stated.strategy),
    olderThanMs: durationMs('olderThan', olderThan),
    leaseDurationMs: durationMs('leaseDuration', options.leaseDuration ?? relayDefaults.leaseDuration, {
      min: 1,
    }),
    maxReadUnitsPerSecond: positiveNumber('maxReadUnitsPerSecond', maxReadUnitsPerSecond),
    segments: wholeNumber('segments', segments, 1),
    concurrency: wholeNumber('concurrency', concurrency, 1),
    includePostponed: options.includePostponed ?? relayDefaults.includePostponed,
  };
}

interface StatedRelay {
  readonly olderThanSeconds?: unknown;
  readonly strategy?: unknown;
  readonly maxReadUnitsPerSecond?: unknown;
}

function statedIn(environment: Environment): StatedRelay {
  const variable = environmentVariables.relay;
  const remedy = 'Set it to { olderThanSeconds, strategy, maxReadUnitsPerSecond }, as the construct does';
  const stated = parseJsonSetting(variable, environment[variable], remedy) ?? {};
  if (typeof stated === 'object' && !Array.isArray(stated)) return stated;
  throw new SagaboxError('Configuration', { setting: variable, problem: 'it is not an object', remedy });
}

function strategyOf(options: RelayOutboxOptions, environment: Environment, stated: unknown): RelayStrategy {
  const fallback = usesRelayIndex(options, environment) ? 'index' : 'scan';
  const strategy = options.strategy ?? stated ?? fallback;
  if (isRelayStrategy(strategy)) return strategy;
  throw new SagaboxError('Configuration', {
    setting: 'strategy',
    problem: `it is ${describeValue(strategy)}`,
    remedy: "Use 'index' or 'scan'",
  });
}
