/** Set by the constructs, read by the runtime. */
export const environmentVariables = {
  endpoint: 'SAGABOX_ENDPOINT',
  accountId: 'SAGABOX_ACCOUNT_ID',
  sagaTable: 'SAGABOX_SAGA_TABLE',
  outboxTable: 'SAGABOX_OUTBOX_TABLE',
  locking: 'SAGABOX_LOCKING',
  deduplicationPeriodSeconds: 'SAGABOX_DEDUPLICATION_PERIOD_SECONDS',
  destinations: 'SAGABOX_DESTINATIONS',
  publishTo: 'SAGABOX_PUBLISH_TO',
  scheduler: 'SAGABOX_SCHEDULER',
  claimCheck: 'SAGABOX_CLAIM_CHECK',
  relayIndex: 'SAGABOX_RELAY_INDEX',
  relay: 'SAGABOX_RELAY',
  errorQueue: 'SAGABOX_ERROR_QUEUE',
  maxReceiveCount: 'SAGABOX_MAX_RECEIVE_COUNT',
  metricsNamespace: 'SAGABOX_METRICS_NAMESPACE',
  metricsByMessageType: 'SAGABOX_METRICS_BY_MESSAGE_TYPE',
} as const;
