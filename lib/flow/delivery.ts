import { CapacityMeter } from '../core/capacity-meter.ts';
import { SagaboxError } from '../core/errors.ts';
import { type SagaIdentity, sagaKey } from '../core/keys.ts';
import { abandon } from './abandon.ts';
import type { Attempt, Handling, UntilEnd } from './attempt.ts';
import { DispatchLedger } from './dispatch-ledger.ts';
import type { SagaTurns } from './saga-turns.ts';

/**
 * Where an attempt is. `outside` of the flow and in the `handler` it can be given up; what the flow itself has begun, such
 * as taking a lease, or is settling, such as a commit, is never cut off.
 */
type Phase = 'outside' | 'beginning' | 'handler' | 'settling';

/** What a delivery needs to know of the time of its invocation. */
export interface DeliveryTime {
  /** @throws when too little is left to run a handler */
  assertTimeToStart(): void;
  startableForMs(): number;
  readonly untilEnd: UntilEnd;
}

const timeless: DeliveryTime = {
  assertTimeToStart: () => {},
  startableForMs: () => Number.POSITIVE_INFINITY,
  untilEnd: (call) => call(),
};

/** One record's way through a batch, over all its attempts. */
export class Delivery {
  /** What all attempts consume. */
  readonly meter = new CapacityMeter();
  /** What all attempts have sent of the message's record. */
  readonly ledger = new DispatchLedger();
  readonly #turns: SagaTurns;
  readonly #time: DeliveryTime;
  #endTurn: (() => void) | undefined;
  #ended = false;
  #saga: SagaIdentity | undefined;
  #phase: Phase = 'outside';
  #uncommittedId: string | undefined;
  #open: Handling | undefined;
  #timeout: Error | undefined;
  #abandonedByTimeout: Attempt | undefined;

  constructor(turns: SagaTurns, time: DeliveryTime = timeless) {
    this.#turns = turns;
    this.#time = time;
  }

  /** How long the handler may still be started. */
  get startableForMs(): number {
    return this.#time.startableForMs();
  }

  get untilEnd(): UntilEnd {
    return this.#time.untilEnd;
  }

  /** The saga of the message, once that is known. */
  get saga(): SagaIdentity | undefined {
    return this.#saga;
  }

  startAttempt(): void {
    this.completed();
  }

  /**
   * The flow begins: from here on the attempt counts only when it is completed.
   *
   * @throws when the attempt was given up before
   */
  beginning(messageId: string): void {
    this.#assertGoing();
    this.#phase = 'beginning';
    this.#uncommittedId = messageId;
  }

  /** Kept until the delivery ends, so that a message that is tried again stays ahead of those behind it. */
  async takeTurn(saga: SagaIdentity): Promise<void> {
    this.#saga = saga;
    if (this.#endTurn) return;
    this.#endTurn = await this.#turns.take(sagaKey(saga).partition);
    if (this.#ended) this.#endTurn();
    this.#assertGoing();
    this.#time.assertTimeToStart();
  }

  /**
   * The handler may run.
   *
   * @throws when the attempt was given up meanwhile
   */
  opened(handling: Handling): void {
    this.#assertGoing();
    this.#phase = 'handler';
    this.#open = handling;
  }

  /**
   * The handler returned.
   *
   * @throws when it was given up before: nothing of it may be committed any more
   */
  committing(): void {
    this.#assertGoing();
    this.#phase = 'settling';
  }

  completed(): void {
    this.#phase = 'outside';
    this.#timeout = undefined;
    this.#uncommittedId = undefined;
    this.#open = undefined;
  }

  /** @returns whether the failed attempt is to be abandoned now; when it was given up, that has been done */
  failing(attempt: Attempt): boolean {
    if (this.#abandonedByTimeout === attempt) return false;
    this.#phase = 'settling';
    return true;
  }

  abandoned(): void {
    this.#phase = 'outside';
    this.#open = undefined;
  }

  /** Ends an attempt that failed, in case another middleware's `onError` kept ours from being called. */
  async failed(error: unknown): Promise<void> {
    const open = this.#open;
    if (open === undefined || !this.failing(open)) return;
    await abandon(open, error);
    this.abandoned();
  }

  /**
   * Ends an attempt whose time is up: a handler that still runs can commit nothing any more.
   *
   * @throws the error, unless the flow itself is at work: then it has to be waited for
   */
  async giveUp(error: Error): Promise<void> {
    if (this.#phase === 'settling') return;
    this.#timeout = error;
    if (this.#phase === 'beginning') return;
    if (this.#open) {
      this.#abandonedByTimeout = this.#open;
      await abandon(this.#open, error);
    }
    throw error;
  }

  /** Refuses to acknowledge a message whose commit another middleware cut off, or whose error it swallowed. */
  async assertCommitted(): Promise<void> {
    this.#assertGoing();
    if (this.#uncommittedId === undefined) return;
    const error = new SagaboxError('CommitSkipped', { messageId: this.#uncommittedId });
    if (this.#open) await abandon(this.#open, error);
    throw error;
  }

  end(): void {
    this.#ended = true;
    this.#endTurn?.();
  }

  #assertGoing(): void {
    if (this.#timeout) throw this.#timeout;
  }
}
