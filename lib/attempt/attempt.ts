import { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { type Fingerprint, fingerprintOf } from '../messages/fingerprint.ts';
import type { MessageLogger } from '../messages/logger.ts';
import { copyOf, type IncomingMessage } from '../messages/message.ts';
import { messageFacts, messageLogger } from '../observe/logs/message-logger.ts';
import type { SagaDraft } from '../saga/saga-draft.ts';
import type { UnitOfWork } from '../sending/unit-of-work.ts';
import type { Delivery } from './delivery.ts';
import type { Flow } from './flow.ts';
import type { QueueEntry } from './saga-queue/queue-entry.ts';

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
