import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (durationMs, signal) => {
    try {
      await setTimeout(durationMs, undefined, { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};
