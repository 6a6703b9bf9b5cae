import { beforeAbort } from '../../core/async/before-abort.ts';
import type { MetricsRecorder } from '../../core/metrics/emf-metrics.ts';
import { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import { type SagaIdentity, sagaKey } from '../../core/storage/keys.ts';
import type { InvocationDeadline } from './invocation-deadline.ts';
import type { SagaTurn, SagaTurns } from './saga-turns.ts';

export type DeliveryDeadline = Pick<
  InvocationDeadline,
  'assertTimeToStart' | 'remainingMs' | 'startableForMs' | 'untilGiveUp'
>;

/** One SQS record's way through an invocation, over all attempts at it. */
export class Delivery {
  /** What all attempts consume. */
  readonly meter = new CapacityMeter();
  readonly deadline: DeliveryDeadline;
  /** Of the invocation; undefined if sagabox emits none. */
  readonly metrics: MetricsRecorder | undefined;
  /**
   * Commits an empty outbox record; undefined before the first attempt begins.
   *
   * @throws SagaboxError `DuplicateMessage` if the message has one
   */
  ignore: (() => Promise<void>) | undefined;
  /**
   * The operations of the outbox record that were sent in this delivery: a retry sends the rest, or only
   * marks. An attempt gives the ids to other operations only if no earlier one was committed and sent any.
   */
  readonly sentIds = new Set<string>();
  /** Whether the attempt is the first one at the message, in this delivery and in all before. */
  isFirstAttempt = false;
  /** How long the attempt waited for its turn: that is no part of what it costs. */
  waitedMs = 0;
  readonly #turns: SagaTurns;
  #saga: SagaIdentity | undefined;
  #turn: SagaTurn | undefined;
  #hasTurn = false;
  #ended = false;

  constructor(turns: SagaTurns, deadline: DeliveryDeadline, metrics?: MetricsRecorder) {
    this.#turns = turns;
    this.deadline = deadline;
    this.metrics = metrics;
  }

  /** The saga of the message, once that is known. */
  get saga(): SagaIdentity | undefined {
    return this.#saga;
  }

  /**
   * Waits until no other message of the same batch works on the saga. The turn is kept until the delivery
   * ends, so that a message that is retried stays ahead of those behind it.
   *
   * @throws NotStarted when too little time is left by then
   */
  async takeTurn(saga: SagaIdentity, messageId: string, signal: AbortSignal): Promise<void> {
    this.#saga = saga;
    if (this.#hasTurn) return;
    this.#turn ??= this.#turns.take(sagaKey(saga).partition);
    if (this.#ended) this.#turn.end();
    const { remainingMs } = this.deadline;
    try {
      if (this.#turn.ahead !== undefined) await beforeAbort(this.#turn.ahead, signal);
      this.#hasTurn = true;
    } finally {
      // Outside Lambda, Infinity minus Infinity is NaN.
      this.waitedMs = remainingMs - this.deadline.remainingMs || 0;
      this.deadline.assertTimeToStart(messageId);
    }
  }

  end(): void {
    this.#ended = true;
    this.#turn?.end();
  }

  /** A call that is answered after the end must not start another one. */
  get isOver(): boolean {
    return this.#ended;
  }

  /** @throws Error after the end: nobody waits for what is thrown */
  assertOngoing(): void {
    if (this.#ended) throw new Error('The message was returned before this call had its answer');
  }
}
