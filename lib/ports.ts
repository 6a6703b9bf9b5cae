import type { SQSRecord } from 'aws-lambda';
import type { EmbeddedLimits } from './core/embedded/embedded-write.ts';
import type { FailureFacts } from './core/failures/failure-facts.ts';
import type { Fingerprint } from './core/incoming/fingerprint.ts';
import type { IncomingMessage, OutgoingMessage, OutgoingOperation } from './core/incoming/message.ts';
import type { Commit } from './core/outbox/commit.ts';
import type { OutboxRecord, RecordReference } from './core/outbox/record.ts';
import type { SentBitmap } from './core/outbox/sent-bitmap.ts';
import type { Destination, QueueDestination } from './core/outgoing/destination.ts';
import type { DispatchOptions } from './core/outgoing/dispatch-options.ts';
import type { Lease } from './core/saga/lease.ts';
import type { SagaItem } from './core/saga/saga-item.ts';
import type { SagaStateWrite, SagaWrite, StoredSaga } from './core/saga/saga-state.ts';
import type { CapacityMeter } from './core/storage/capacity-meter.ts';
import type { SagaIdentity } from './core/storage/keys.ts';
import type { Contributions } from './ports/contributions.ts';

/** What the flow needs from outside. Every call adds the capacity that it consumed to the meter. */
export interface Ports {
  readonly sagas: SagaStore;
  /** @default - there are none */
  readonly embedded?: EmbeddedSagas;
  /** @default - nothing is appended to sagas */
  readonly contributions?: Contributions;
  readonly locks?: SagaLocks;
  readonly outbox: OutboxStore;
  /** Of exclusive sessions. @default - there are none */
  readonly requestLeases?: RequestLeases;
  readonly committer: Committer;
  readonly dispatcher: Dispatcher;
  readonly claimChecks?: ClaimChecks;
  readonly clock: Clock;
}

export interface SagaStore {
  /** Whether each change gives a saga another version, for its messages to carry. @default true */
  readonly hasVersions?: boolean;
  load(saga: SagaIdentity, meter: CapacityMeter, certainty?: LoadCertainty): Promise<LoadedSaga>;
}

/**
 * Sagas with an embedded outbox. What is to be sent after a commit is in the item of the saga, until it is marked
 * there.
 */
export interface EmbeddedSagas extends Pick<OutboxStore, 'keepSent' | 'markDispatched'> {
  /** Of each item. @default - those of DynamoDB */
  readonly limits?: EmbeddedLimits;
  /** The salt of a new item's inbox: 8 bytes that nobody can foretell. */
  newSalt(): Uint8Array;
  /** What a message left to be sent, while it is not marked. @throws SagaboxError `UnreadableItem` */
  find(record: RecordReference, meter: CapacityMeter): Promise<OutboxRecord | undefined>;
}

export interface LoadedSaga {
  readonly stored: StoredSaga | undefined;
  /** Also of a saga that has ended, if it has left a tombstone. */
  readonly item: SagaItem | undefined;
}

/**
 * What must be certain where reads may be old. `none`: the commit checks the version anyway. `absence`: a
 * saga that is not found is not there. `all`: what is found is the latest.
 */
export type LoadCertainty = 'none' | 'absence' | 'all';

/** Leases on sagas. */
export interface SagaLocks {
  tryAcquire(
    saga: SagaIdentity,
    lease: Lease,
    expected: ExpectedSaga,
    meter: CapacityMeter,
  ): Promise<AcquireOutcome>;
  /** @returns whether the lease was still held, and now is until `lease.until`. */
  renew(saga: SagaIdentity, lease: Lease, meter: CapacityMeter): Promise<boolean>;
  /** Does nothing when the lease is held by somebody else by now. */
  release(saga: SagaIdentity, lease: Lease, expected: ExpectedSaga, meter: CapacityMeter): Promise<void>;
}

/** `existing`: the saga itself is locked. `new`: a lock is put where the saga is going to be. */
export type ExpectedSaga = 'existing' | 'new';

export type AcquireOutcome =
  | ({ readonly outcome: 'acquired' } & LoadedSaga)
  /** Until when is unknown when the service did not take the request; it may have taken it all the same. */
  | { readonly outcome: 'held'; readonly until: Date | undefined; readonly cause?: unknown }
  /** There is a saga where none was expected, or none where one was. */
  | { readonly outcome: 'unexpected' };

/** The outbox of one endpoint. */
export interface OutboxStore {
  /** @throws SagaboxError `IncompleteOutboxRecord`, or `UnreadableItem` for damaged operations */
  find(messageId: string, meter: CapacityMeter): Promise<OutboxRecord | undefined>;
  /**
   * Adds to an undispatched record which of its operations were taken, so that whoever finds it sends only
   * the rest. Does nothing when the record is dispatched, or gone, by now.
   *
   * @returns what the record holds of that now
   */
  keepSent(record: OutboxRecord, sent: SentBitmap, meter: CapacityMeter): Promise<SentBitmap>;
  /**
   * Removes the operations, in all items that hold them, and starts the record's time to live.
   *
   * @param signal once it is aborted, what the store does not take at first is not tried again
   */
  markDispatched(record: OutboxRecord, at: Date, meter: CapacityMeter, signal?: AbortSignal): Promise<void>;
}

/** Leases on requests of one endpoint that are not stored yet, for exclusive sessions. */
export interface RequestLeases {
  /**
   * Finds the record of a request, or takes the lease on it, in one call. Its owner may call it again.
   *
   * @throws SagaboxError as {@link OutboxStore.find}
   */
  tryAcquire(
    requestId: string,
    fingerprint: Fingerprint,
    lease: Lease,
    meter: CapacityMeter,
  ): Promise<RequestLeaseOutcome>;
  /** Does nothing when the request is stored, or leased by somebody else, by now. */
  release(requestId: string, lease: Lease, meter: CapacityMeter): Promise<void>;
}

export type RequestLeaseOutcome =
  | { readonly outcome: 'acquired' }
  | { readonly outcome: 'stored'; readonly record: OutboxRecord }
  | {
      readonly outcome: 'held';
      readonly until: Date | undefined;
      /** Of the request that has it. */
      readonly fingerprint: Fingerprint | undefined;
    };

/** The records of one endpoint that were committed and never dispatched, for the relay. */
export interface UndispatchedRecords {
  /**
   * Those that were stored before a time; some may be dispatched by now.
   *
   * @param signal ends the search early, without an error, when it is aborted
   */
  find(storedBefore: Date, meter: CapacityMeter, signal?: AbortSignal): AsyncIterable<FoundRecord>;
  /** Takes the record for one relay, until the lease ends; it is read then. */
  claim(
    record: RecordReference,
    lease: Lease,
    now: Date,
    meter: CapacityMeter,
    terms?: ClaimTerms,
  ): Promise<ClaimOutcome>;
  /**
   * Leaves it undispatched, and out of reach until the lease ends, unless somebody else holds it by now.
   *
   * @param lease of the owner that claimed it
   * @param sent kept with it, as {@link OutboxStore.keepSent} does
   */
  postpone(
    record: RecordReference & Pick<OutboxRecord, 'sent'>,
    lease: Lease,
    meter: CapacityMeter,
    sent?: SentBitmap,
  ): Promise<void>;
  /** Gives it back undispatched; does nothing when it is held by somebody else by now. */
  release(record: RecordReference, lease: Lease, meter: CapacityMeter): Promise<void>;
  /** Takes what was seen dispatched, or gone, off the list, if it was found in a place there. */
  unlist(record: FoundRecord, meter: CapacityMeter): Promise<void>;
}

export interface FoundRecord extends RecordReference {
  readonly storedAt: Date;
  readonly listedAt?: string | undefined;
}

export interface ClaimTerms {
  readonly includePostponed?: boolean;
}

/** `held`: by another relay. `postponed`: its time has not come. `settled`: it is dispatched, or gone. */
export type ClaimOutcome = 'claimed' | 'held' | 'postponed' | 'settled';

export interface Committer {
  /**
   * A write whose state is what it is now: what happens to it later does not reach the commit.
   *
   * @throws SagaboxError `UnsupportedState`
   */
  keep(write: SagaWrite): SagaWrite;
  /** What a message that is committed together with a kept write, behind it, reads of its saga. */
  readKept(kept: SagaStateWrite): Pick<StoredSaga, 'readState' | 'isSame'>;
  /**
   * Writes all of a commit, or nothing.
   *
   * @throws SagaboxError `SagaConcurrency` when the saga is not at the version that was read,
   *   `DuplicateMessage` when the message has an outbox record already, `TransactionConditionFailed` when a
   *   write of the user's own is refused.
   */
  commit(commit: Commit, meter: CapacityMeter, terms?: CommitTerms): Promise<void>;
}

/** What a committer knows of a commit that may share a call with others; without it, it shares none. */
export interface CommitTerms {
  /** Whether no attempt at the message was made before, in any delivery. */
  readonly isFirstAttempt: boolean;
  /** Of the message, or of the first one. @default - none */
  readonly span?: MessageSpan | undefined;
  /** @throws Error once the message was returned: no call may be started for it then */
  assertOngoing(): void;
  /**
   * `merged`: it was written together with others. `refused`, told to one of them: what was to be written
   * together was refused, and each is written alone.
   *
   * @param together of all commits that were written together
   */
  onMerge?(outcome: MergeOutcome, together?: readonly CommitTerms[]): void;
}

export type MergeOutcome = 'merged' | 'refused';

export interface Dispatcher {
  /**
   * @throws SagaboxError `DispatchFailed`, `DispatchRefused`; the reason of the signal once that is aborted
   */
  dispatch(operations: readonly OutgoingOperation[], options?: DispatchOptions): Promise<void>;
}

/** The way out to destinations of one kind. */
export interface Transport {
  /** @throws as {@link Dispatcher.dispatch} does */
  send(messages: readonly OutgoingMessage[], to: Destination, options?: DispatchOptions): Promise<void>;
}

export interface Scheduler {
  /**
   * Scheduling the same message twice is harmless.
   *
   * @param message has a `dueAt`
   * @throws SagaboxError `DispatchFailed` or `DispatchRefused`; the reason of the signal once that is aborted
   */
  schedule(message: OutgoingMessage, destination: QueueDestination, signal?: AbortSignal): Promise<void>;
  /**
   * Does nothing when the message is not scheduled, or was sent.
   *
   * @throws SagaboxError `DispatchFailed` or `DispatchRefused`; the reason of the signal once that is aborted
   */
  cancel(messageId: string, signal?: AbortSignal): Promise<void>;
}

/** Keeps bodies that are too large to travel. Both calls end early when their signal is aborted. */
export interface ClaimChecks {
  /**
   * @returns the operations with a reference in place of each large body
   * @throws SagaboxError `ClaimCheckFailed`, `Configuration`
   */
  store(
    operations: readonly OutgoingOperation[],
    signal?: AbortSignal,
  ): Promise<readonly OutgoingOperation[]>;
  /**
   * @returns the message with its body
   * @throws SagaboxError `ClaimCheckNotFound`, `ClaimCheckFailed`
   */
  load(message: IncomingMessage, signal?: AbortSignal): Promise<IncomingMessage>;
}

export interface Clock {
  now(): Date;
  /** Ends early, without an error, when the signal is aborted. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export interface ErrorQueue {
  /** @throws SagaboxError `ForwardFailed` when the message was not taken */
  forward(record: SQSRecord, messageId: string, facts: FailureFacts, signal: AbortSignal): Promise<void>;
}

export interface VisibilityChange {
  readonly record: SQSRecord;
  readonly seconds: number;
}

export interface MessageVisibility {
  /** @returns what the queue did not accept, behind the error if there is one: it keeps its own visibility timeout */
  change(changes: readonly VisibilityChange[], signal: AbortSignal): Promise<readonly unknown[]>;
}

/** The span of one attempt at a message, or of a session. */
export interface MessageSpan {
  /** Runs the attempt: spans that users' code makes are children of this one. */
  run<T>(attempt: () => T): T;
  /** Of all messages that the handler sends: what creates each of them, at its dispatch, is a child of this span. */
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** @param others the messages that are committed together with this one */
  commit<T>(others: readonly MessageSpan[], write: () => Promise<T>): Promise<T>;
  /** That its commit shared a transaction with those of others. */
  merged(others: readonly MessageSpan[]): void;
  noteOutcome(outcome: string, saga: SagaIdentity | undefined): void;
  /** @param failure why the attempt failed, if it did */
  end(failure?: { readonly error: unknown }): void;
}
