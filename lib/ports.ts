import type { CapacityMeter } from './core/capacity-meter.ts';
import type { Commit, OutboxRecord } from './core/commit.ts';
import type { SagaIdentity } from './core/keys.ts';
import type { OutgoingMessage } from './core/message.ts';
import type { StoredSaga } from './core/saga-state.ts';

/** What the flow needs from outside. Every call adds the capacity that it consumed to the meter. */
export interface Ports {
  readonly sagas: SagaStore;
  readonly outbox: OutboxStore;
  readonly committer: Committer;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

export interface SagaStore {
  load(saga: SagaIdentity, meter: CapacityMeter): Promise<StoredSaga | undefined>;
}

/** The outbox of one endpoint. */
export interface OutboxStore {
  /** @throws SagaboxError `IncompleteOutboxRecord` when operations are missing, `UnreadableItem` when they are damaged. */
  find(messageId: string, meter: CapacityMeter): Promise<OutboxRecord | undefined>;
  /** Removes the operations, in all items that hold them, and starts the record's time to live. */
  markDispatched(record: OutboxRecord, at: Date, meter: CapacityMeter): Promise<void>;
  /** Removes what a crash in the middle of the mark left behind. */
  removeLeftovers(record: OutboxRecord, meter: CapacityMeter): Promise<void>;
}

export interface Committer {
  /**
   * Writes all of a commit, or nothing.
   *
   * @throws SagaboxError `SagaConcurrency` when the saga is not at the version that was read, `DuplicateMessage` when the
   *   message has an outbox record already, `TransactionConditionFailed` when a write of the user's own is refused.
   */
  commit(commit: Commit, meter: CapacityMeter): Promise<void>;
}

export interface Dispatcher {
  /** @throws SagaboxError `DispatchFailed` when a message was not taken; others may have been. */
  dispatch(operations: readonly OutgoingMessage[]): Promise<void>;
}

export interface Clock {
  now(): Date;
  sleep(durationMs: number): Promise<void>;
}
