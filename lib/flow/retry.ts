import { isRetryable } from '../core/errors.ts';

export interface ImmediateRetries {
  /** Attempts after the first one, within one invocation. */
  maximumRetries: number;
  baseDelayMs: number;
  maximumDelayMs: number;
}

export interface RetryEnvironment {
  sleep: (durationMs: number) => Promise<void>;
  /** From 0 up to 1. */
  random: () => number;
  remainingTimeMs: () => number;
}

/** Time that must be left after a delay, so that the attempt behind it has a chance to end. */
const MINIMUM_ATTEMPT_MS = 1000;

/** Tries again what failed with a retryable error, as often as the settings and the invocation's time allow. */
export async function withImmediateRetries(
  attempt: () => Promise<void>,
  retries: ImmediateRetries,
  environment: RetryEnvironment,
): Promise<void> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = fullJitterDelayMs(retry, retries, environment.random());
      const timeIsLeft = environment.remainingTimeMs() > delayMs + MINIMUM_ATTEMPT_MS;
      if (!isRetryable(error) || retry >= retries.maximumRetries || !timeIsLeft) throw error;
      await environment.sleep(delayMs);
    }
  }
}

/**
 * Anything up to an exponentially growing bound: contenders that failed together do not meet again.
 * Source: "Exponential Backoff And Jitter", AWS Architecture Blog.
 */
export function fullJitterDelayMs(
  retry: number,
  { baseDelayMs, maximumDelayMs }: Pick<ImmediateRetries, 'baseDelayMs' | 'maximumDelayMs'>,
  random: number,
): number {
  return random * Math.min(maximumDelayMs, baseDelayMs * 2 ** retry);
}
