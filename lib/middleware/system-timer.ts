import type { StartTimer } from '../flow/batch/invocation-time.ts';

export const startSystemTimer: StartTimer = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};
