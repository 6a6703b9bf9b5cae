import { defaultDeduplicationPeriod } from '../dynamodb/table-defaults.ts';

/** The defaults of the options of the runtime; those of locking are with its settings. */
export const defaults = {
  deduplicationPeriod: defaultDeduplicationPeriod,
  /** The number of sockets that the SDK opens. */
  concurrency: 50,
  throwOnFullBatchFailure: true,
  messageFormat: 'plain',
  validateOutgoing: true,
  immediateRetries: { maxRetries: 5, baseDelay: { milliseconds: 50 }, maxDelay: { seconds: 2 } },
  delayedRetries: { baseDelay: { seconds: 10 }, maxDelay: { minutes: 15 } },
  exclusive: { leaseDuration: { minutes: 5 }, waitTimeout: { seconds: 10 } },
  timeMargins: { start: { seconds: 2 }, abort: { seconds: 1 }, giveUp: { milliseconds: 500 } },
} as const;
