export type MetricUnit = 'Count' | 'Milliseconds' | 'Seconds';

/** Where counts and durations go; the Metrics of Powertools fit as they are. */
export interface MessageMetrics {
  addMetric(name: string, unit: MetricUnit, value: number): void;
}

/** The metrics of an endpoint: how attempts at messages end, what happens on the way, what the relay does. */
export const metricNames = {
  handled: 'MessagesHandled',
  duplicate: 'MessagesDuplicate',
  redispatched: 'MessagesRedispatched',
  discarded: 'MessagesDiscarded',
  /** Timeouts that their saga no longer waits for: counted apart, as they are no surprise. */
  timeoutDiscarded: 'TimeoutsDiscarded',
  /** Sessions that were answered before all of their messages were sent. */
  leftToRelay: 'MessagesLeftToRelay',
  failed: 'MessagesFailed',
  conflict: 'SagaConflicts',
  lockWait: 'SagaLockWaits',
  /** How long an attempt waited until it had the lock of its saga, or gave up. */
  lockWaitDuration: 'SagaLockWaitDuration',
  bodyMismatch: 'DuplicateBodyMismatches',
  messageIdReused: 'MessageIdsReused',
  /** Notices of compensations that failed: each goes to the error queue. */
  compensationFailed: 'CompensationsFailed',
  retry: 'MessageRetries',
  duration: 'MessageDuration',
  /** Commits that shared a transaction with others. */
  commitsMerged: 'CommitsMerged',
  /** Shared transactions that were refused: each pauses the sharing for a while. */
  mergesRefused: 'MergesRefused',
  /** Undispatched outbox records that a run of the relay found. */
  undispatched: 'RecordsUndispatched',
  /** Those of them that the run dispatched. */
  relayed: 'RecordsRelayed',
  /** Those of them that are undispatched after the run. */
  notRelayed: 'RecordsNotRelayed',
  /** How old the oldest of these is; 0 when there is none. */
  oldestRecordAge: 'OldestUndispatchedRecordAge',
} as const;

/** The dimensions of the metrics that sagabox emits by itself. */
export const metricDimensions = { endpoint: 'endpoint', messageType: 'messageType' } as const;
