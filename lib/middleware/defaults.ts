/** Every default of the runtime, once. */
export const defaults = {
  timeToKeepDeduplicationData: { days: 7 },
  concurrency: 10,
  immediateRetries: { maximumRetries: 5, baseDelayMs: 50, maximumDelayMs: 2000 },
} as const;

/** Set by the constructs. */
export const environmentVariables = {
  endpoint: 'SAGABOX_ENDPOINT',
  sagaTable: 'SAGABOX_SAGA_TABLE',
  outboxTable: 'SAGABOX_OUTBOX_TABLE',
  destinations: 'SAGABOX_DESTINATIONS',
} as const;
