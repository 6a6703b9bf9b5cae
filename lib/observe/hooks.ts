import type { CapacityUnits } from '../dynamodb/capacity-meter.ts';
import type { MessageLogger } from '../messages/logger.ts';
import type { IncomingMessage } from '../messages/message.ts';
import type { FlowEvent } from './flow-event.ts';
import type { MessageFacts } from './logs/message-logger.ts';
import type { MessageMetrics } from './metrics/metric-names.ts';

/** The hooks that report on the messages of an endpoint. */
export interface FlowHooks {
  /**
   * Called when an attempt at a message has ended, with its outcome, capacity units and duration; see
   * docs/guide/operations.md#how-an-attempt-ends. An error that it throws is logged.
   */
  onMessage?: (report: MessageReport, context: ObserverContext) => void | Promise<void>;
  /**
   * Called for conflicts, waits for a lock, another body under a known id, and retries; see
   * docs/guide/operations.md#what-happens-on-the-way. An error that it throws is logged.
   */
  onEvent?: (event: FlowEvent, context: ObserverContext) => void | Promise<void>;
  /**
   * Counts how attempts end and what happens on the way, and takes their durations, under the names of
   * docs/guide/operations.md#metrics; the Metrics of Powertools fit. If it is given, sagabox emits no
   * metrics by itself.
   *
   * @default - with a namespace in the environment variable SAGABOX_METRICS_NAMESPACE, sagabox writes a
   *   line in the embedded metric format for each invocation, by message type too if
   *   SAGABOX_METRICS_BY_MESSAGE_TYPE is `true`; else none
   */
  metrics?: MessageMetrics;
  /**
   * Called for a message that finds no saga and starts none, before it is discarded: at least once; see
   * docs/guide/outbox.md#discards. When it throws, the message fails.
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
   * `handled`: the message was committed, dispatched and marked. `duplicate`: it was handled before.
   * `redispatched`: it was committed before, and is dispatched and marked now. `discarded`: there is no saga
   * for it. `leftToRelay`: a session was committed and answered, now or before, and the relay sends the rest.
   * `failed`: see `error`.
   */
  outcome: 'handled' | 'duplicate' | 'redispatched' | 'discarded' | 'leftToRelay' | 'failed';
  /**
   * The capacity that DynamoDB reported for this attempt, with its share of shared calls. Refused writes are
   * charged but not reported.
   */
  capacity: CapacityUnits;
  /** The capacity of all attempts at the message in this delivery so far. */
  deliveryCapacity: CapacityUnits;
  durationMs: number;
  error?: unknown;
}
