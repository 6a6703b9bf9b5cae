import type { MessageLogger } from '../core/handlers/handler-context.ts';
import { type Fingerprint, fingerprintOf } from '../core/incoming/fingerprint.ts';
import { copyOf, type IncomingMessage, type OutgoingOperation } from '../core/incoming/message.ts';
import { messageFacts, messageLogger } from '../core/incoming/message-logger.ts';
import type { OutboxRecord } from '../core/outbox/record.ts';
import type { Sending } from '../core/outgoing/sending.ts';
import type { UnitOfWork } from '../core/outgoing/unit-of-work.ts';
import type { CorrelatedMessage, SagaRules } from '../core/saga/define-saga.ts';
import type { PessimisticSettings } from '../core/saga/locking.ts';
import type { OpenedSaga, SagaDraft, SagaWrite } from '../core/saga/saga-state.ts';
import { CapacityMeter } from '../core/storage/capacity-meter.ts';
import type { ExpectedSaga, Ports, SagaLocks } from '../ports.ts';
import type { Delivery } from './batch/delivery.ts';
import type { FlowHooks } from './hooks.ts';
import type { SagaPlace } from './saga/saga-place.ts';

/** What all messages of one definition share. */
export interface Flow {
  readonly endpoint: string;
  readonly ports: Ports;
  readonly sending: Sending;
  readonly saga: SagaRules | undefined;
  /** Whether a saga is loaded with eventual consistency where that will do. */
  readonly readsEventually?: boolean;
  /** Undefined where sagas cannot be locked. */
  readonly leases?: SagaLeases | undefined;
  readonly outbox: Outbox;
  /** How long a message is known. */
  readonly deduplicationPeriodSeconds: number;
  readonly hooks: FlowHooks;
  readonly logger: MessageLogger;
}

/** How a flow takes leases on its sagas. */
export interface SagaLeases {
  /** Whether each message takes one, as in pessimistic mode; otherwise a crowd does. */
  readonly isForEach: boolean;
  readonly settings: PessimisticSettings;
  readonly locks: SagaLocks;
  /** By message type, what the last one that starts a saga found: a wrong guess costs a refused write. */
  readonly lastFound: Map<string, ExpectedSaga>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Another one each time. */
  readonly newLeaseOwner: () => string;
}

/** One attempt at one message. */
export interface Attempt {
  readonly flow: Flow;
  readonly delivery: Delivery;
  /** The flow's own copy, which the users' code does not get. */
  readonly received: IncomingMessage;
  /** Of the received message, taken before its handler can change it. */
  readonly fingerprint: Fingerprint;
  readonly meter: CapacityMeter;
  readonly startedAt: Date;
  /** Aborted when the invocation is about to end; what comes before the commit is cut off then. */
  readonly signal: AbortSignal;
  /** Names the message in each line, and its saga once that is known. */
  readonly logger: MessageLogger;
}

/** An attempt whose handler may run: what it does is committed together, or rolled back. */
export interface OpenMessage extends Attempt {
  /** The received message, validated; the handler gets a copy. */
  readonly message: IncomingMessage;
  readonly work: UnitOfWork;
  readonly draft: SagaDraft | undefined;
  /** Undefined in a group: its first message has it. */
  readonly lease: SagaLease | undefined;
  /** In the line of its saga. */
  readonly place: SagaPlace | undefined;
}

/** The lease of a saga while its handler runs. */
export interface SagaLease {
  /** Renews it no more, and waits for a renewal that is under way. */
  stopRenewing(): Promise<void>;
  /** Renews it no more, and releases it if no write of the saga did. Never throws. */
  release(): Promise<void>;
}

/**
 * Where an endpoint knows the messages that it has handled, and keeps what they send until it is sent. It is chosen
 * when the flow is configured: in records, in the items of sagas, or not at all (`flow/outbox`).
 */
export interface Outbox {
  /** Whether a message that was handled is known: it can be handled again, and has its effects once. */
  readonly isKept: boolean;
  /** Whether it is in the item of the saga: one read is dedup check and saga, one write commits all of a group. */
  readonly isInSagaItem: boolean;
  /** The dedup check, and the saga of a message. */
  lookUp(
    attempt: Attempt,
    correlated: CorrelatedMessage | undefined,
    place: SagaPlace | undefined,
  ): Promise<Lookup>;
  /**
   * Writes what messages of one saga did, each behind the one before it, or nothing. What has no saga is committed by
   * `commitAlone`, with a record where one is kept.
   *
   * @param messages of which the first one has read the saga, and holds its lease
   * @param keepsLease whether a lease that no write gives back is kept, for others that rest on it
   * @returns the record of each, to be dispatched
   */
  commit(messages: readonly PreparedMessage[], keepsLease?: boolean): Promise<readonly OutboxRecord[]>;
  /**
   * Stores that a message that is discarded or ignored was handled, and sends nothing. Another delivery of it that is
   * still in its handler can then not commit after this one is acknowledged.
   *
   * @param opened what the decision rests on
   * @param lease that it ends with
   * @throws SagaboxError `DuplicateMessage` when the message has a record, `SagaConcurrency` when the saga is not as
   *   it was read
   */
  commitEmpty(attempt: Attempt, opened?: OpenedSaga, lease?: SagaLease): Promise<void>;
  /**
   * The saga that keeps that a message is ignored.
   *
   * @returns undefined where a record does
   * @throws SagaboxError `DuplicateMessage` when the message is committed
   */
  openIgnored(attempt: Attempt): Promise<OpenedSaga | undefined>;
}

/** What is known of a message before its handler runs. */
export interface Lookup {
  readonly found: PromiseSettledResult<OutboxRecord | undefined>;
  /** Its saga; undefined for a message that has none. */
  readonly opened: PromiseSettledResult<OpenedSaga> | undefined;
}

/** What a handler that returned leaves to be committed. */
export interface PreparedMessage {
  readonly opened: OpenMessage;
  /** Of what it was given, which an earlier message of its group may have left. */
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
