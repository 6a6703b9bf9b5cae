import { beforeAbort } from '../../core/async/before-abort.ts';
import { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import { type SagaIdentity, sagaKey } from '../../core/storage/keys.ts';
import { DispatchLedger } from '../dispatch-ledger.ts';
import type { InvocationTime } from './invocation-time.ts';
import type { SagaTurn, SagaTurns } from './saga-turns.ts';

/** What a delivery needs to know of the time of its invocation. */
export type DeliveryTime = Pick<
  InvocationTime,
  'assertTimeToStart' | 'remainingMs' | 'startableForMs' | 'untilGiveUp'
>;

/** One record's way through an invocation, over all attempts at it. */
export class Delivery {
  /** What all attempts consume. */
  readonly meter = new CapacityMeter();
  readonly time: DeliveryTime;
  /**
   * Commits an empty record; undefined before the flow begins.
   *
   * @throws SagaboxError `DuplicateMessage` when it has one
   */
  ignore: (() => Promise<void>) | undefined;
  /** What all attempts have sent of the message's record. */
  readonly ledger = new DispatchLedger();
  /** How long the attempt waited for its turn: that is no part of what it costs. */
  waitedMs = 0;
  readonly #turns: SagaTurns;
  #saga: SagaIdentity | undefined;
  #turn: SagaTurn | undefined;
  #hasTurn = false;
  #ended = false;

  constructor(turns: SagaTurns, time: DeliveryTime) {
    this.#turns = turns;
    this.time = time;
  }

  /** The saga of the message, once that is known. */
  get saga(): SagaIdentity | undefined {
    return this.#saga;
  }

  /**
   * Waits until no other message of the same batch works on the saga. The turn is kept until the delivery
   * ends, so that a message that is tried again stays ahead of those behind it.
   *
   * @throws NotStarted when too little time is left by then
   */
  async takeTurn(saga: SagaIdentity, messageId: string, signal: AbortSignal): Promise<void> {
    this.#saga = saga;
    if (this.#hasTurn) return;
    this.#turn ??= this.#turns.take(sagaKey(saga).partition);
    if (this.#ended) this.#turn.end();
    const { remainingMs } = this.time;
    try {
      if (this.#turn.ahead !== undefined) await beforeAbort(this.#turn.ahead, signal);
      this.#hasTurn = true;
    } finally {
      // Outside Lambda, Infinity minus Infinity is NaN.
      this.waitedMs = remainingMs - this.time.remainingMs || 0;
      this.time.assertTimeToStart(messageId);
    }
  }

  end(): void {
    this.#ended = true;
    this.#turn?.end();
  }

  /** The record is finished: a call that is answered later must not start another one. */
  get isOver(): boolean {
    return this.#ended;
  }

  /** @throws Error when the record was returned before: nobody waits for what is thrown */
  assertOngoing(): void {
    if (this.#ended) throw new Error('The record was returned before this call had its answer');
  }
}
