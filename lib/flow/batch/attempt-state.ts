import { SagaboxError } from '../../core/failures/errors.ts';
import type { Attempt } from '../attempt.ts';
import { commitIgnored } from '../ignore.ts';
import { close, rollback } from '../rollback.ts';
import type { Transaction } from '../transaction.ts';
import type { Delivery } from './delivery.ts';

type Phase = 'idle' | 'begun' | 'handling' | 'committing' | 'failed';

/**
 * The state machine of one attempt. Every transition except `fail` throws after `fail`, so that late code
 * cannot continue.
 *
 * ```text
 *   idle ── begin ──► begun ── enterHandler ──► handling ── startCommit ──► committing
 *     ▲                 │                                                       │
 *     └──── succeed ────┴───────────────────────────────────────────────────────┘
 *  any phase ── fail ──► failed
 * ```
 */
export class AttemptState {
  readonly delivery: Delivery;
  #phase: Phase = 'idle';
  #messageId = '';
  #attempt: Attempt | Transaction | undefined;
  #reason: unknown;

  constructor(delivery: Delivery) {
    this.delivery = delivery;
  }

  /**
   * From here on the message is acknowledged only after `succeed`.
   *
   * @throws SagaboxError `Configuration` if another `sagaOutbox` is at work on the message
   */
  begin(messageId: string): void {
    this.#assertNotFailed();
    if (this.#phase !== 'idle') throw usedTwice();
    this.#phase = 'begun';
    this.#messageId = messageId;
  }

  /** @param attempt to be rolled back if it fails */
  started(attempt: Attempt): void {
    this.#attempt = attempt;
    // Bound: a closure kept most of a message alive past young collections (Node 24), which made them three
    // times slower.
    this.delivery.ignore = commitIgnored.bind(undefined, attempt);
  }

  /** The handler may run. If the attempt has failed already, its lease is released. */
  async enterHandler(transaction: Transaction): Promise<void> {
    if (this.#phase === 'failed') await close(transaction);
    this.#assertNotFailed();
    this.#phase = 'handling';
    this.#attempt = transaction;
  }

  /** The handler returned; if the attempt has failed already, nothing of it may be committed any more. */
  startCommit(): void {
    this.#assertNotFailed();
    this.#phase = 'committing';
  }

  /** The message may be acknowledged. */
  succeed(): void {
    this.#assertNotFailed();
    this.#phase = 'idle';
    this.#attempt = undefined;
  }

  /**
   * Rolls back an attempt that threw or ran out of time, whichever is noticed first. Nothing of it is
   * committed, or its outbox record is stored.
   */
  async fail(reason: unknown): Promise<void> {
    if (this.#phase === 'failed') return;
    this.#phase = 'failed';
    this.#reason = reason;
    if (this.#attempt) await rollback(this.#attempt, reason);
  }

  /** Whether all that began has ended well. */
  get hasSucceeded(): boolean {
    return this.#phase === 'idle';
  }

  /**
   * @throws SagaboxError `CommitSkipped` if another middleware cut the commit off, or swallowed its error
   */
  async assertSucceeded(): Promise<void> {
    if (this.hasSucceeded) return;
    const error = new SagaboxError('CommitSkipped', { messageId: this.#messageId });
    await this.fail(error);
    throw error;
  }

  #assertNotFailed(): void {
    if (this.#phase === 'failed') throw this.#reason;
  }
}

function usedTwice(): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', {
    setting: 'sagaOutbox',
    problem: 'two of them are used on one handler: only one of their sagas would be stored',
    remedy: 'Use one, or give each saga a handler of its own',
  });
}
