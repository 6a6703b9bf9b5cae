import { randomUUID } from 'node:crypto';
import type { Ports } from '../../attempt/ports.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import type { ExclusiveSettings } from '../../session/line/session-attempt.ts';
import { defaults } from '../defaults.ts';
import { durationMs } from '../settings.ts';
import type { ExclusiveOptions } from './session-options.ts';

/** @throws SagaboxError `Configuration` for durations out of range */
export function exclusiveDurations(option: boolean | ExclusiveOptions | undefined) {
  if (option === undefined || option === false) return undefined;
  const { leaseDuration, waitTimeout = defaults.exclusive.waitTimeout } = option === true ? {} : option;
  return {
    leaseDurationMs: leaseDuration && durationMs('exclusive.leaseDuration', leaseDuration, { min: 1 }),
    waitTimeoutMs: durationMs('exclusive.waitTimeout', waitTimeout),
  };
}

/** @param remainingMs the time that is left of the invocation */
export function exclusiveSettings(
  durations: ReturnType<typeof exclusiveDurations>,
  { requestLeases: leases }: Ports,
  remainingMs: number,
): ExclusiveSettings | undefined {
  if (durations === undefined) return undefined;
  if (leases === undefined)
    throw configurationError(
      'ports',
      'they have no requestLeases, which exclusive sessions need',
      'Give them',
    );
  const fallback = defaults.exclusive.leaseDuration;
  const outsideLambda =
    remainingMs === Number.POSITIVE_INFINITY ? durationMs('exclusive.leaseDuration', fallback) : undefined;
  const { leaseDurationMs = outsideLambda, waitTimeoutMs } = durations;
  return { leases, leaseDurationMs, waitTimeoutMs, newLeaseOwner: randomUUID };
}
