export interface Backoff {
  /** Attempts after the first one. */
  maxRetries: number;
  baseDelayMs: number;
  maxDelayMs: number;
}

export interface RetryTerms<T> {
  readonly backoff: Backoff;
  /** Whether an attempt that returned this left something to be tried again; by default none does. */
  isUnfinished?(result: T): boolean;
  /** Whether an attempt that threw this is made again after the delay; by default none is. */
  mayRetry?(error: unknown, delayMs: number): boolean;
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
  /** Ends the delays; no further attempt is made once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes an attempt again, after delays with full jitter, for as long as its terms ask for it.
 *
 * @throws what the last attempt threw, or the signal's reason
 */
export async function retryWithBackoff<T>(attempt: () => Promise<T>, terms: RetryTerms<T>): Promise<T> {
  const { backoff, isUnfinished, mayRetry, sleep, random, signal } = terms;
  for (let retries = 0; ; retries += 1) {
    signal?.throwIfAborted();
    const isLast = retries >= backoff.maxRetries;
    const delayMs = fullJitterDelayMs(retries, backoff, random());
    try {
      const result = await attempt();
      if (isLast || !isUnfinished?.(result)) return result;
    } catch (error) {
      if (isLast || !mayRetry?.(error, delayMs)) throw error;
    }
    await sleep(delayMs, signal);
  }
}

/**
 * Anything up to an exponentially growing bound: contenders that failed together do not meet again. Source:
 * "Exponential Backoff And Jitter", AWS Architecture Blog.
 *
 * @param retry counted from 0
 */
export function fullJitterDelayMs(
  retry: number,
  { baseDelayMs, maxDelayMs }: Pick<Backoff, 'baseDelayMs' | 'maxDelayMs'>,
  random: number,
): number {
  return random * Math.min(maxDelayMs, baseDelayMs * 2 ** retry);
}
