import { setTimeout as sleep } from 'node:timers/promises';
import type { StartTimer } from '../attempt/invocation-deadline.ts';
import { MAX_TIMER_MS } from '../kernel/async/max-timer.ts';
import type { Clock } from '../kernel/clock.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (durationMs, signal) => {
    try {
      await sleep(Math.min(durationMs, MAX_TIMER_MS), undefined, { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

export const startSystemTimer: StartTimer = (delayMs, callback) => {
  const timer = setTimeout(callback, Math.min(delayMs, MAX_TIMER_MS));
  return () => clearTimeout(timer);
};
