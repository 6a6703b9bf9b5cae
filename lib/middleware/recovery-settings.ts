import { parseJsonSetting } from '../core/checks/json-setting.ts';
import { type Duration, durationProblem, toMilliseconds } from '../core/duration.ts';
import { environmentVariables } from '../core/environment-variables.ts';
import { SagaboxError } from '../core/failures/errors.ts';
import { valueText } from '../core/failures/thrown.ts';
import {
  isRecoveryStrategy,
  type RecoveryStrategy,
  recoveryDefaults,
} from '../core/outbox/recovery-defaults.ts';
import type { RecoverOutboxOptions } from './recovery-options.ts';
import { usesRecoveryIndex } from './sending-settings.ts';
import { type Environment, positiveNumber, wholeNumber } from './settings.ts';

export interface ConfiguredRecovery {
  readonly strategy: RecoveryStrategy;
  readonly olderThanMs: number;
  readonly leaseDurationMs: number;
  readonly maximumReadUnitsPerSecond: number;
  readonly segments: number;
  readonly concurrency: number;
  readonly includePostponed: boolean;
}

/** @throws SagaboxError `Configuration` */
export function recoverySettings(
  options: RecoverOutboxOptions,
  environment: Environment,
): ConfiguredRecovery {
  const stated = statedIn(environment);
  const { olderThanSeconds } = stated;
  const olderThan =
    options.olderThan ??
    (olderThanSeconds === undefined ? recoveryDefaults.olderThan : { seconds: Number(olderThanSeconds) });
  const maximumReadUnitsPerSecond =
    options.maximumReadUnitsPerSecond ??
    Number(stated.maximumReadUnitsPerSecond ?? recoveryDefaults.maximumReadUnitsPerSecond);
  const { segments = recoveryDefaults.segments, concurrency = recoveryDefaults.concurrency } = options;
  return {
    strategy: strategyOf(options, environment, stated.strategy),
    olderThanMs: duration('olderThan', olderThan, 0),
    leaseDurationMs: duration('leaseDuration', options.leaseDuration ?? recoveryDefaults.leaseDuration, 1),
    maximumReadUnitsPerSecond: positiveNumber('maximumReadUnitsPerSecond', maximumReadUnitsPerSecond),
    segments: wholeNumber('segments', segments, 1),
    concurrency: wholeNumber('concurrency', concurrency, 1),
    includePostponed: options.includePostponed ?? recoveryDefaults.includePostponed,
  };
}

interface StatedRecovery {
  readonly olderThanSeconds?: unknown;
  readonly strategy?: unknown;
  readonly maximumReadUnitsPerSecond?: unknown;
}

function statedIn(environment: Environment): StatedRecovery {
  const variable = environmentVariables.recovery;
  const remedy = 'Set it to { olderThanSeconds, strategy, maximumReadUnitsPerSecond }, as the construct does';
  const stated = parseJsonSetting(variable, environment[variable], remedy) ?? {};
  if (typeof stated === 'object' && !Array.isArray(stated)) return stated;
  throw new SagaboxError('Configuration', { setting: variable, problem: 'it is not an object', remedy });
}

function strategyOf(
  options: RecoverOutboxOptions,
  environment: Environment,
  stated: unknown,
): RecoveryStrategy {
  const fallback = usesRecoveryIndex(options, environment) ? 'index' : 'scan';
  const strategy = options.strategy ?? stated ?? fallback;
  if (isRecoveryStrategy(strategy)) return strategy;
  throw new SagaboxError('Configuration', {
    setting: 'strategy',
    problem: `it is ${valueText(strategy)}`,
    remedy: "Use 'index' or 'scan'",
  });
}

function duration(setting: string, given: Duration, minimumMs: number): number {
  const milliseconds = toMilliseconds(given);
  if (Number.isFinite(milliseconds) && milliseconds >= minimumMs) return milliseconds;
  throw new SagaboxError('Configuration', {
    setting,
    problem: durationProblem(given) ?? `${valueText(given)} is no duration of at least ${minimumMs} ms`,
    remedy: 'Use one such as { minutes: 15 }',
  });
}
