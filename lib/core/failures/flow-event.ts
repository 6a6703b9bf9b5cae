import type { MessageFacts } from '../incoming/message-logger.ts';

export type FlowEvent = MessageFacts &
  (
    | { type: 'conflict'; operation: 'create' | 'update' | 'complete' | 'check' }
    /** The saga is locked by somebody else; the next attempt comes after the delay. */
    | { type: 'lockWait'; attempts: number; delayMs: number }
    /** A duplicate has another body than the message that was committed under its id. */
    | { type: 'bodyMismatch' }
    /** The message failed, and is tried again in this invocation after the delay. */
    | { type: 'retry'; attempts: number; delayMs: number; error: unknown }
  );

/** Where counts and durations go; the Metrics of Powertools fit as they are. */
export interface MessageMetrics {
  addMetric(name: string, unit: 'Count' | 'Milliseconds', value: number): void;
}

/** The metrics of messages: how each attempt ended, what happened on the way, and how long it took. */
export const metricNames = {
  handled: 'MessagesHandled',
  duplicate: 'MessagesDuplicate',
  redispatched: 'MessagesRedispatched',
  discarded: 'MessagesDiscarded',
  /** Timeouts that their saga no longer waits for: counted apart, as they are no surprise. */
  timeoutDiscarded: 'TimeoutsDiscarded',
  failed: 'MessagesFailed',
  conflict: 'SagaConflicts',
  lockWait: 'SagaLockWaits',
  bodyMismatch: 'DuplicateBodyMismatches',
  retry: 'MessageRetries',
  duration: 'MessageDuration',
} as const;
