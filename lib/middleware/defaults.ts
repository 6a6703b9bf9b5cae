import { defaultTimeToKeepDeduplicationData } from '../core/storage/table-defaults.ts';

/** The defaults of the options of the runtime; those of locking are with its settings. */
export const defaults = {
  timeToKeepDeduplicationData: defaultTimeToKeepDeduplicationData,
  concurrency: 10,
  throwOnFullBatchFailure: true,
  messageFormat: 'plain',
  immediateRetries: { maximumRetries: 5, baseDelayMs: 50, maximumDelayMs: 2000 },
  delayedRetries: { baseDelaySeconds: 10, maximumDelaySeconds: 900 },
  timeMargins: { startMs: 2000, abortMs: 1000, giveUpMs: 500 },
} as const;
