export interface Backoff {
  /** Attempts after the first one. */
  maxRetries: number;
  baseDelayMs: number;
  maxDelayMs: number;
}

export interface RetryTerms {
  readonly backoff: Backoff;
  /** Whether an attempt that threw this is made again after the delay. */
  mayRetry(error: unknown, delayMs: number): boolean;
  sleep(durationMs: number): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

/**
 * Makes an attempt again, after delays with full jitter, for as long as its terms ask for it.
 *
 * @throws what the last attempt threw
 */
export async function retryWithBackoff<T>(attempt: () => Promise<T>, terms: RetryTerms): Promise<T> {
  const { backoff, mayRetry, sleep, random } = terms;
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = backoffDelayMs(retries, backoff, random());
      if (retries >= backoff.maxRetries || !mayRetry(error, delayMs)) throw error;
      await sleep(delayMs);
    }
  }
}

/**
 * Anything up to an exponentially growing bound: contenders that failed together do not meet again. Source:
 * "Exponential Backoff And Jitter", AWS Architecture Blog.
 *
 * @param retry counted from 0
 */
export function backoffDelayMs(
  retry: number,
  { baseDelayMs, maxDelayMs }: Pick<Backoff, 'baseDelayMs' | 'maxDelayMs'>,
  random: number,
): number {
  return random * Math.min(maxDelayMs, baseDelayMs * 2 ** retry);
}
