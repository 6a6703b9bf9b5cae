import { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { type Fingerprint, fingerprintOf } from '../messages/fingerprint.ts';
import type { MessageLogger } from '../messages/logger.ts';
import { copyOf, type IncomingMessage, type OutgoingOperation } from '../messages/message.ts';
import type { FlowHooks } from '../observe/hooks.ts';
import { messageFacts, messageLogger } from '../observe/logs/message-logger.ts';
import type { OutboxRecord } from '../outbox/record.ts';
import type { CorrelatedMessage, SagaRules } from '../saga/definition/define-saga.ts';
import type { PessimisticSettings } from '../saga/definition/locking.ts';
import type { SagaDraft } from '../saga/saga-draft.ts';
import type { ExpectedSaga, SagaLocks } from '../saga/saga-locks.ts';
import type { OpenedSaga, SagaWrite } from '../saga/saga-state.ts';
import type { Sending } from '../sending/sending.ts';
import type { UnitOfWork } from '../sending/unit-of-work.ts';
import type { Delivery } from './delivery.ts';
import type { Ports } from './ports.ts';
import type { QueueEntry } from './saga-queue/queue-entry.ts';

/** The settings and ports that all messages of one definition share. */
export interface Flow {
  readonly endpoint: string;
  readonly ports: Ports;
  readonly sending: Sending;
  readonly saga: SagaRules | undefined;
  /** Whether a first attempt may load its saga with eventual consistency. */
  readonly readsEventually?: boolean;
  /** How sagas are locked; `undefined` if they cannot be. */
  readonly leases?: SagaLeases | undefined;
  readonly outbox: Outbox;
  /** How long a handled message is recognized as a duplicate. */
  readonly deduplicationPeriodSeconds: number;
  readonly hooks: FlowHooks;
  readonly logger: MessageLogger;
}

/** How a flow takes leases on its sagas. */
export interface SagaLeases {
  /** Whether each message takes a lease, as in pessimistic mode; otherwise only a crowd does. */
  readonly isForEach: boolean;
  readonly settings: PessimisticSettings;
  readonly locks: SagaLocks;
  /** Whether the last starting message of each type found a saga: a wrong guess costs a refused write. */
  readonly lastFound: Map<string, ExpectedSaga>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** Returns another owner at each call. */
  readonly newLeaseOwner: () => string;
}

/** One attempt at one message. */
export interface Attempt {
  readonly flow: Flow;
  readonly delivery: Delivery;
  /** The flow's own copy, which the users' code does not get. */
  readonly received: IncomingMessage;
  /** The fingerprint of the received message, taken before its handler can change the message. */
  readonly fingerprint: Fingerprint;
  readonly meter: CapacityMeter;
  readonly startedAt: Date;
  /** Aborted shortly before the invocation ends; the steps before the commit are cut off then. */
  readonly signal: AbortSignal;
  /** Names the message in each line, and its saga once that is known. */
  readonly logger: MessageLogger;
}

/** An attempt whose handler may run: its effects are committed together, or rolled back. */
export interface OpenMessage extends Attempt {
  /** The received message, validated; the handler gets a copy. */
  readonly message: IncomingMessage;
  readonly work: UnitOfWork;
  readonly draft: SagaDraft | undefined;
  /** The lease; `undefined` without a saga, or behind the first message of a group, which holds it. */
  readonly lease: SagaLease | undefined;
  /** The entry of the message in the queue of its saga. */
  readonly queueEntry: QueueEntry | undefined;
}

/** The lease of a saga while its handler runs. */
export interface SagaLease {
  /** Stops the renewals, and waits for one that is under way. */
  stopRenewing(): Promise<void>;
  /** Stops the renewals, and releases the lease if no write of the saga did. Never throws. */
  release(): Promise<void>;
}

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

export function startAttempt(
  flow: Flow,
  received: IncomingMessage,
  { signal, delivery }: Pick<Attempt, 'signal' | 'delivery'>,
): Attempt {
  return {
    flow,
    delivery,
    received: copyOf(received),
    fingerprint: fingerprintOf(received),
    meter: new CapacityMeter(delivery.meter),
    startedAt: flow.ports.clock.now(),
    signal,
    logger: messageLogger(flow.logger, messageFacts(flow.endpoint, received)),
  };
}
