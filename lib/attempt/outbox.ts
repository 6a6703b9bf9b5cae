import type { OutgoingOperation } from '../messages/message.ts';
import type { OutboxRecord } from '../outbox/record.ts';
import type { CorrelatedMessage } from '../saga/definition/define-saga.ts';
import type { OpenedSaga, SagaWrite } from '../saga/saga-state.ts';
import type { Attempt, OpenMessage, SagaLease } from './attempt.ts';
import type { QueueEntry } from './saga-queue/queue-entry.ts';

/**
 * Deduplicates the messages of an endpoint, and keeps their outgoing messages until those are sent: in outbox
 * records, in the items of sagas, or not at all (`pipeline/outbox`). The configuration of the flow chooses one.
 */
export interface Outbox {
  /** Whether handled messages are stored: a message that is handled again then has its effects once. */
  readonly isKept: boolean;
  /** Whether the item of a saga is also its outbox: one read finds both, and one write commits a group. */
  readonly isInSagaItem: boolean;
  /** Makes the dedup check, and loads the saga of the message. */
  lookUp(
    attempt: Attempt,
    correlated: CorrelatedMessage | undefined,
    queueEntry: QueueEntry | undefined,
  ): Promise<Lookup>;
  /**
   * Commits messages of one saga in their order, all or none. `commitAlone` commits a message without a saga.
   *
   * @param messages the first one has read the saga, and holds its lease
   * @param keepsLease whether a lease that no write releases is kept, because other messages rest on it
   * @returns the record of each message, to be dispatched
   */
  commit(messages: readonly PreparedMessage[], keepsLease?: boolean): Promise<readonly OutboxRecord[]>;
  /**
   * Stores a discarded or ignored message as handled, without outgoing messages. Another delivery of the
   * message whose handler still runs can then not commit after this one is acknowledged.
   *
   * @param openedSaga the saga that the decision rests on
   * @param lease the lease to release
   * @throws SagaboxError `DuplicateMessage` when the message has a record, `SagaConcurrency` when the saga is
   *   not as it was read
   */
  commitEmpty(attempt: Attempt, openedSaga?: OpenedSaga, lease?: SagaLease): Promise<void>;
  /**
   * Finds the saga whose item is to store an ignored message.
   *
   * @returns `undefined` if no item of a saga is to store it
   * @throws SagaboxError `DuplicateMessage` when the message is committed
   */
  openIgnored(attempt: Attempt): Promise<OpenedSaga | undefined>;
}

/** The result of the dedup check, and the saga of the message. */
export interface Lookup {
  readonly found: PromiseSettledResult<OutboxRecord | undefined>;
  /** The saga; `undefined` for a message without one. */
  readonly openedSaga: PromiseSettledResult<OpenedSaga> | undefined;
}

/** A message whose handler has returned, ready to be committed. */
export interface PreparedMessage {
  readonly opened: OpenMessage;
  /** The write of the saga, on a state that an earlier message of the group may have left. */
  readonly write: SagaWrite | undefined;
  readonly operations: readonly OutgoingOperation[];
}
