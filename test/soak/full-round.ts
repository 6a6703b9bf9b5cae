import type { RoundOptions } from './options.ts';

/** A round of the command, in full size. */
export const fullRound = {
  messages: 5000,
  sagas: 100,
  workers: 4,
  duplicatesPercent: 20,
  seed: 6,
  mode: 'mixed',
} as const satisfies RoundOptions;
