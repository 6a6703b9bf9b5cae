import { type Duration, durationProblem, toMilliseconds } from '../../kernel/duration.ts';
import { configurationError, type SagaboxError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';

/**
 * Loads the saga without a lock, unless five or more of its messages are in one batch. Of several handlers at a time
 * one commits, and the others start over.
 */
export interface OptimisticLocking {
  mode: 'optimistic';
  /**
   * Whether reads are strongly consistent. With `false`, they take half the units, and a handler may see an
   * old version and start over. A missing saga, or a failure of the handler, counts only after a consistent
   * read.
   *
   * @default true
   */
  consistentRead?: boolean;
}

/** Lets one handler at a time work on a saga: for sagas that many messages meet. */
export interface PessimisticLocking {
  mode: 'pessimistic';
  /**
   * The time after which others may take the saga over. It has to be longer than the function's timeout,
   * unless `renew` is set.
   *
   * @default { seconds: 30 }
   */
  leaseDuration?: Duration;
  /**
   * The longest time to try for a lease.
   *
   * @default { seconds: 10 }
   */
  leaseAcquisitionTimeout?: Duration;
  /**
   * The shortest time between two attempts.
   *
   * @default { milliseconds: 100 }
   */
  minRefreshDelay?: Duration;
  /**
   * The longest time between two attempts.
   *
   * @default { milliseconds: 300 }
   */
  maxRefreshDelay?: Duration;
  /**
   * Whether the lease is renewed while the handler runs.
   *
   * @default false
   */
  renew?: boolean;
}

export type Locking = OptimisticLocking | PessimisticLocking;

/** The settings that NServiceBus has for Cosmos DB. */
export const cosmosLocking = {
  mode: 'pessimistic',
  leaseDuration: { seconds: 60 },
  leaseAcquisitionTimeout: { seconds: 60 },
  minRefreshDelay: { milliseconds: 500 },
  maxRefreshDelay: { milliseconds: 1000 },
} as const satisfies PessimisticLocking;

export const lockingDefaults = {
  optimistic: { consistentRead: true },
  pessimistic: {
    leaseDuration: { seconds: 30 },
    leaseAcquisitionTimeout: { seconds: 10 },
    minRefreshDelay: { milliseconds: 100 },
    maxRefreshDelay: { milliseconds: 300 },
    renew: false,
  },
} as const;

export interface PessimisticSettings {
  readonly mode: 'pessimistic';
  readonly leaseDurationMs: number;
  readonly leaseAcquisitionTimeoutMs: number;
  readonly minRefreshDelayMs: number;
  readonly maxRefreshDelayMs: number;
  readonly renew: boolean;
}

export type LockingMode = Locking['mode'];

export type LockingSettings = Readonly<Required<OptimisticLocking>> | PessimisticSettings;

/** @throws SagaboxError `Configuration` for settings that are not positive, or contradict each other. */
export function lockingSettings(locking: Locking = { mode: 'optimistic' }): LockingSettings {
  const { mode } = locking;
  if (!Object.hasOwn(lockingDefaults, mode)) {
    throw refusal('mode', `${describeValue(mode)} is no mode`, "Use 'optimistic' or 'pessimistic'");
  }
  for (const [name, value] of Object.entries(locking)) {
    const fallback = (lockingDefaults[mode] as Record<string, unknown>)[name];
    if (name !== 'mode' && fallback === undefined) {
      throw refusal(name, `the ${mode} mode has no such setting`, 'Leave it out, or use the other mode');
    }
    if (typeof fallback === 'boolean' && typeof value !== 'boolean') {
      throw refusal(name, `${describeValue(value)} is not true or false`, 'Use true or false');
    }
  }
  if (locking.mode === 'optimistic') return { ...lockingDefaults.optimistic, ...locking };
  return leaseSettings(locking);
}

/** @throws SagaboxError `Configuration`, as above */
export function leaseSettings(locking: Omit<PessimisticLocking, 'mode'> = {}): PessimisticSettings {
  const settings = { ...lockingDefaults.pessimistic, ...locking };
  const resolved: PessimisticSettings = {
    mode: 'pessimistic',
    leaseDurationMs: positive('leaseDuration', settings.leaseDuration),
    leaseAcquisitionTimeoutMs: positive('leaseAcquisitionTimeout', settings.leaseAcquisitionTimeout),
    minRefreshDelayMs: positive('minRefreshDelay', settings.minRefreshDelay),
    maxRefreshDelayMs: positive('maxRefreshDelay', settings.maxRefreshDelay),
    renew: settings.renew,
  };
  const { minRefreshDelayMs, maxRefreshDelayMs } = resolved;
  if (minRefreshDelayMs <= maxRefreshDelayMs) return resolved;
  throw refusal(
    'minRefreshDelay',
    `${minRefreshDelayMs} ms is over the maxRefreshDelay of ${maxRefreshDelayMs} ms`,
    'Lower minRefreshDelay or raise maxRefreshDelay',
  );
}

function positive(setting: string, duration: Duration): number {
  const durationMs = toMilliseconds(duration);
  if (durationMs > 0 && Number.isFinite(durationMs)) return durationMs;
  const problem = durationProblem(duration) ?? `${describeValue(duration)} is not a positive duration`;
  throw refusal(setting, problem, 'Use one over 0, such as { seconds: 30 }');
}

function refusal(setting: string, problem: string, remedy: string): SagaboxError<'Configuration'> {
  return configurationError(`locking.${setting}`, problem, remedy);
}
