import type { FlowEvent } from '../core/failures/flow-event.ts';
import type { MessageLogger } from '../core/handlers/handler-context.ts';
import { type Fingerprint, fingerprintOf } from '../core/incoming/fingerprint.ts';
import { copyOf, type IncomingMessage } from '../core/incoming/message.ts';
import { type MessageFacts, messageFacts, messageLogger } from '../core/incoming/message-logger.ts';
import type { MessageMetrics } from '../core/metrics/metric-names.ts';
import type { Sending } from '../core/outgoing/sending.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import type { PessimisticSettings } from '../core/saga/locking.ts';
import { CapacityMeter, type CapacityUnits } from '../core/storage/capacity-meter.ts';
import type { EmbeddedSagas, ExpectedSaga, Ports, SagaLocks } from '../ports.ts';
import type { Delivery } from './batch/delivery.ts';

/** What all messages of one endpoint share. */
export interface Flow {
  readonly endpoint: string;
  readonly ports: Ports;
  readonly sending: Sending;
  readonly saga: SagaRules | undefined;
  /** Whether a saga is loaded with eventual consistency where that will do. */
  readonly readsEventually?: boolean;
  /** Undefined where sagas cannot be locked. */
  readonly leases?: SagaLeases | undefined;
  /** Without it, no duplicates are found and no outgoing messages are kept until they are sent. */
  readonly outbox: boolean;
  /** Of a saga whose item keeps the messages that were handled. @default - only records do */
  readonly embedded?: EmbeddedSagas | undefined;
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

export interface FlowHooks {
  /** Called when an attempt at a message has ended; an error that it throws is logged. */
  onMessage?: (report: MessageReport, context: ObserverContext) => void | Promise<void>;
  /** Called for conflicts, waits for a lock and retries; an error that it throws is logged. */
  onEvent?: (event: FlowEvent, context: ObserverContext) => void | Promise<void>;
  /**
   * Counts how attempts end and what happens on the way, and takes their durations. If it is given, sagabox
   * emits no metrics by itself.
   *
   * @default - with a namespace in the environment variable SAGABOX_METRICS_NAMESPACE, sagabox writes a line
   *   in the embedded metric format for each invocation; else none
   */
  metrics?: MessageMetrics;
  /**
   * Called for a message that finds no saga and starts none, before it is discarded: at least once. When it
   * throws, the message fails.
   *
   * @default - a warning is logged
   */
  onSagaNotFound?: (message: IncomingMessage) => void | Promise<void>;
}

export interface ObserverContext {
  /** The `context.logger` of the message's handler: each line has the ids of message and saga. */
  readonly logger: MessageLogger;
}

export interface MessageReport extends MessageFacts {
  /**
   * `handled`: committed, dispatched and marked. `duplicate`: it was so before. `redispatched`: it was
   * committed before, and now dispatched and marked. `discarded`: there is no saga for it. `leftToRelay`: a
   * session was committed and answered, now or before, and the relay sends what is left. `failed`: see
   * `error`.
   */
  outcome: 'handled' | 'duplicate' | 'redispatched' | 'discarded' | 'leftToRelay' | 'failed';
  /**
   * The capacity that DynamoDB reported for this attempt, its share of shared calls. Refused writes are
   * charged but not reported.
   */
  capacity: CapacityUnits;
  /** The same of all attempts at the message in this delivery so far. */
  deliveryCapacity: CapacityUnits;
  durationMs: number;
  error?: unknown;
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
