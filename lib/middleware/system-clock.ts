import { setTimeout as sleep } from 'node:timers/promises';
import type { StartTimer } from '../flow/batch/invocation-deadline.ts';
import type { Clock } from '../ports.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (durationMs, signal) => {
    try {
      await sleep(durationMs, undefined, { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

export const startSystemTimer: StartTimer = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};
