import { defaultDeduplicationPeriod } from '../core/storage/table-defaults.ts';

/** The defaults of the options of the runtime; those of locking are with its settings. */
export const defaults = {
  deduplicationPeriod: defaultDeduplicationPeriod,
  concurrency: 10,
  throwOnFullBatchFailure: true,
  messageFormat: 'plain',
  immediateRetries: { maxRetries: 5, baseDelayMs: 50, maxDelayMs: 2000 },
  delayedRetries: { baseDelaySeconds: 10, maxDelaySeconds: 900 },
  timeMargins: { startMs: 2000, abortMs: 1000, giveUpMs: 500 },
} as const;
