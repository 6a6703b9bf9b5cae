import { defaultTimeToKeepDeduplicationData } from '../core/table-defaults.ts';

/** Every default of the runtime, once. */
export const defaults = {
  timeToKeepDeduplicationData: defaultTimeToKeepDeduplicationData,
  concurrency: 10,
  immediateRetries: { maximumRetries: 5, baseDelayMs: 50, maximumDelayMs: 2000 },
} as const;
