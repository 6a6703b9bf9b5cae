import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (durationMs) => {
    await setTimeout(durationMs);
  },
};
