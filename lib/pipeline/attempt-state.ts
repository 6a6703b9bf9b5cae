import { type Attempt, type Flow, type OpenMessage, startAttempt } from '../attempt/attempt.ts';
import type { Delivery } from '../attempt/delivery.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import type { IncomingMessage } from '../messages/message.ts';
import { complete } from './complete.ts';
import { close, fail } from './fail.ts';
import { open } from './open.ts';

type Phase = 'idle' | 'begun' | 'handling' | 'committing' | 'failed';

/**
 * The phase of one attempt, and what there is to roll back. Every transition but `fail` throws after `fail`,
 * so that late code cannot continue: the time of an attempt may be up, or another middleware may have
 * answered before it.
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
  #attempt: Attempt | OpenMessage | undefined;
  /** The flows that have handled the message before, each by a `sagaOutbox` of its own. */
  #handledBy: readonly Flow[] | undefined;
  #reason: unknown;
  #failing: Promise<void> | undefined;

  constructor(delivery: Delivery) {
    this.delivery = delivery;
  }

  /**
   * Begins the attempt: from here on the message is acknowledged only after `succeed`.
   *
   * @throws SagaboxError `Configuration` if another `sagaOutbox` already handles the message
   */
  begin(): void {
    this.#assertNotFailed();
    if (this.#phase !== 'idle') throw usedTwice();
    this.#phase = 'begun';
    // An earlier `sagaOutbox`, of another endpoint, has succeeded: its attempt is not rolled back with this one.
    if (this.#attempt) this.#handledBy = [...(this.#handledBy ?? []), this.#attempt.flow];
    this.#attempt = undefined;
  }

  /** The attempt in any phase; `undefined` if something failed before it could begin. */
  get attempt(): Attempt | undefined {
    return this.#attempt;
  }

  /** @param attempt to be rolled back if it fails */
  hold(attempt: Attempt): void {
    this.#attempt = attempt;
  }

  /** Opens the message. @returns undefined when nothing is left to do, and the message may be acknowledged */
  async open(flow: Flow, received: IncomingMessage, signal: AbortSignal): Promise<OpenMessage | undefined> {
    this.#assertNotFailed();
    if (this.#handledBy) assertOtherEndpoint(flow, this.#handledBy);
    const attempt = startAttempt(flow, received, { delivery: this.delivery, signal });
    this.hold(attempt);
    const opened = await open(attempt);
    if (opened === undefined) this.succeed();
    else await this.enterHandler(opened);
    return opened;
  }

  /** Completes the message, whose handler has returned: it may be acknowledged. */
  async complete(opened: OpenMessage): Promise<void> {
    this.startCommit();
    await complete(opened);
    this.succeed();
  }

  /** Lets the handler run. If the attempt has failed already, releases its lease and throws. */
  async enterHandler(opened: OpenMessage): Promise<void> {
    if (this.#phase === 'failed') await close(opened);
    this.#assertNotFailed();
    this.#phase = 'handling';
    this.#attempt = opened;
  }

  /** Begins the commit. Throws if the attempt has failed already: nothing of it may be committed then. */
  startCommit(): void {
    this.#assertNotFailed();
    this.#phase = 'committing';
  }

  /** Ends the attempt: the message may be acknowledged. */
  succeed(): void {
    this.#assertNotFailed();
    this.#phase = 'idle';
  }

  /**
   * Rolls back an attempt that threw or ran out of time, whichever is noticed first. Either nothing of the
   * attempt is committed, or its outbox record is stored.
   */
  fail(reason: unknown): Promise<void> {
    // A second caller waits, too: the next step must find the attempt rolled back.
    this.#failing ??= this.#rollBack(reason);
    return this.#failing;
  }

  async #rollBack(reason: unknown): Promise<void> {
    const { mayBeAcknowledged } = this;
    this.#phase = 'failed';
    this.#reason = reason;
    if (this.#attempt && !mayBeAcknowledged) await fail(this.#attempt, reason);
  }

  /** Whether the message may be acknowledged: no attempt has begun, or each that began has succeeded. */
  get mayBeAcknowledged(): boolean {
    return this.#phase === 'idle';
  }

  /**
   * @throws SagaboxError `CommitSkipped` if another middleware cut the commit off, or swallowed its error
   */
  async assertSucceeded(messageId: string): Promise<void> {
    if (this.mayBeAcknowledged) return;
    const error = new SagaboxError('CommitSkipped', { messageId }, { cause: this.#reason });
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

/** @throws SagaboxError `Configuration` if the outbox of the endpoint knows the message as handled already */
function assertOtherEndpoint({ endpoint, outbox }: Flow, handledBy: readonly Flow[]): void {
  const isHandled = handledBy.some((other) => other.endpoint === endpoint && other.outbox.isKept);
  if (!outbox.isKept || !isHandled) return;
  throw new SagaboxError('Configuration', {
    setting: 'sagaOutbox',
    problem: `two of them handle one message for the endpoint '${endpoint}', which handles each message once`,
    remedy: 'Give each an endpoint of its own, or publish the message to a queue for each',
  });
}
