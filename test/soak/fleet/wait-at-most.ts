import { setTimeout as delay } from 'node:timers/promises';

export interface Limit {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits for the promise, but neither beyond the limit nor after the signal.
 *
 * @param purpose what is waited for, as in 'did not start'
 * @throws Error when the time is over; an AbortError when the signal comes first
 */
export async function waitAtMost<T>(
  { timeoutMs, signal }: Limit,
  purpose: string,
  promise: Promise<T>,
): Promise<T> {
  const settled = new AbortController();
  const timeout = delay(timeoutMs, undefined, { signal: AbortSignal.any([signal, settled.signal]) });
  try {
    return await Promise.race([
      promise,
      timeout.then(() => {
        throw new Error(`${purpose} within ${timeoutMs} ms`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}
