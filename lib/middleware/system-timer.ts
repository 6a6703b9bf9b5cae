import type { StartTimer } from '../flow/invocation-time.ts';

export const startSystemTimer: StartTimer = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};
