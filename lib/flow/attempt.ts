import { CapacityMeter, type CapacityUnits } from '../core/capacity-meter.ts';
import type { SagaRules } from '../core/define-saga.ts';
import type { Destinations } from '../core/destination.ts';
import type { MessageLogger } from '../core/handler-context.ts';
import type { IncomingMessage } from '../core/message.ts';
import type { SagaDraft } from '../core/saga-state.ts';
import type { UnitOfWork } from '../core/unit-of-work.ts';
import type { Ports } from '../ports.ts';

/** What all messages of one endpoint share. */
export interface Flow {
  readonly endpoint: string;
  readonly ports: Ports;
  readonly destinations: Destinations;
  readonly saga: SagaRules | undefined;
  /** Without it neither duplicates are found nor are outgoing messages kept until they are sent. */
  readonly outbox: boolean;
  readonly hooks: FlowHooks;
  readonly logger: MessageLogger;
}

export interface FlowHooks {
  /** Called when an attempt at a message has ended; an error that it throws is logged. */
  onMessage?: (report: MessageReport) => void | Promise<void>;
  /** Called for a message that finds no saga and starts none; then the message is done. */
  onSagaNotFound?: (message: IncomingMessage) => void | Promise<void>;
}

export interface MessageReport {
  endpoint: string;
  messageId: string;
  messageType: string;
  sagaName?: string;
  sagaId?: string;
  /**
   * `handled`: committed, dispatched and marked. `duplicate`: it was so before. `redispatched`: it was committed before,
   * and now dispatched and marked. `discarded`: there is no saga for it. `failed`: see `error`.
   */
  outcome: 'handled' | 'duplicate' | 'redispatched' | 'discarded' | 'failed';
  /** What DynamoDB reported for the calls of this attempt. */
  capacity: CapacityUnits;
  durationMs: number;
  error?: unknown;
}

/** One attempt at one message. */
export interface Attempt {
  readonly flow: Flow;
  readonly received: IncomingMessage;
  readonly meter: CapacityMeter;
  readonly startedAt: Date;
}

/** An attempt whose handler may run. */
export interface Handling extends Attempt {
  /** The received message, validated. */
  readonly message: IncomingMessage;
  readonly work: UnitOfWork;
  readonly draft: SagaDraft | undefined;
}

export function startAttempt(flow: Flow, received: IncomingMessage): Attempt {
  return { flow, received, meter: new CapacityMeter(), startedAt: flow.ports.clock.now() };
}
