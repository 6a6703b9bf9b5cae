import { SagaboxError } from '../../core/failures/errors.ts';
import { abandon, letGo } from '../abandon.ts';
import type { Attempt, Handling } from '../attempt.ts';
import { commitNothing } from '../commit-nothing.ts';
import type { Delivery } from './delivery.ts';

type Phase = 'outside' | 'begun' | 'handler' | 'committing' | 'ended';

/**
 * The state machine of one attempt. Every transition except `end` throws after `end`, so that late code
 * cannot continue.
 *
 * ```text
 *  outside ── begin ──► begun ── open ──► handler ── commit ──► committing
 *     ▲                   │                                        │
 *     └──── complete ─────┴────────────────────────────────────────┘
 *  any phase ── end ──► ended
 * ```
 */
export class AttemptState {
  readonly delivery: Delivery;
  #phase: Phase = 'outside';
  #messageId = '';
  #attempt: Attempt | Handling | undefined;
  #reason: unknown;

  constructor(delivery: Delivery) {
    this.delivery = delivery;
  }

  /**
   * The flow begins: from here on the message is acknowledged only after `complete`.
   *
   * @throws SagaboxError `Configuration` when another `sagaOutbox` is at work on the message
   */
  begin(messageId: string): void {
    this.#assertGoing();
    if (this.#phase !== 'outside') throw usedTwice();
    this.#phase = 'begun';
    this.#messageId = messageId;
  }

  /**
   * @param attempt to be abandoned when it ends before it is complete, and to be ended without an effect when
   * a policy ignores its failure
   */
  started(attempt: Attempt): void {
    this.#attempt = attempt;
    // Bound: a closure kept most of a message alive past young collections (Node 24), which made them three
    // times slower.
    this.delivery.ignore = commitNothing.bind(undefined, attempt, undefined);
  }

  /** The handler may run. If the attempt has ended already, its lease is released. */
  async open(handling: Handling): Promise<void> {
    if (this.#phase === 'ended') await letGo(handling);
    this.#assertGoing();
    this.#phase = 'handler';
    this.#attempt = handling;
  }

  /** The handler returned. When it was given up before, nothing of it may be committed any more. */
  commit(): void {
    this.#assertGoing();
    this.#phase = 'committing';
  }

  /** The message may be acknowledged. */
  complete(): void {
    this.#assertGoing();
    this.#phase = 'outside';
    this.#attempt = undefined;
  }

  /**
   * Ends an attempt that failed, or that its time is up for: whoever notices it first. Nothing of it is
   * committed, or its record is stored.
   */
  async end(reason: unknown): Promise<void> {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#reason = reason;
    if (this.#attempt) await abandon(this.#attempt, reason);
  }

  /**
   * @throws SagaboxError `CommitSkipped` when another middleware cut the commit off, or swallowed its error
   */
  async assertComplete(): Promise<void> {
    if (this.#phase === 'outside') return;
    const error = new SagaboxError('CommitSkipped', { messageId: this.#messageId });
    await this.end(error);
    throw error;
  }

  #assertGoing(): void {
    if (this.#phase === 'ended') throw this.#reason;
  }
}

function usedTwice(): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', {
    setting: 'sagaOutbox',
    problem: 'two of them are used on one handler: only one of their sagas would be stored',
    remedy: 'Use one, or give each saga a handler of its own',
  });
}
