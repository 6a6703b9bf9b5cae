import type { Flow } from '../flow/attempt.ts';

/**
 * Warns of a lease that may end while its handler still runs: others would take the saga over, and the
 * handler's work be refused at its commit.
 *
 * @param remainingTimeMs of the invocation, near its beginning: about the function's timeout
 */
export function warnOfShortLease(flow: Flow, remainingTimeMs: number): void {
  const settings = flow.pessimistic?.settings;
  if (settings === undefined || settings.renew || settings.leaseDurationMs >= remainingTimeMs) return;
  const timeoutSeconds = Math.ceil(remainingTimeMs / 1000);
  flow.logger.warn(
    `locking.leaseDuration (${settings.leaseDurationMs} ms) is shorter than the function's timeout (about ${timeoutSeconds} s): raise it, lower the timeout, or set 'renew'`,
    {
      endpoint: flow.endpoint,
      leaseDurationMs: settings.leaseDurationMs,
      functionTimeoutSeconds: timeoutSeconds,
    },
  );
}
