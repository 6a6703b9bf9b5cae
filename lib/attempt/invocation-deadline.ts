import { MAX_TIMER_MS } from '../kernel/async/max-timer.ts';
import { type ErrorFacts, isSagaboxError, SagaboxError } from '../kernel/errors/errors.ts';

/** Milliseconds of an invocation that are kept back at its end. */
export interface TimeMargins {
  /** With less left, no message is started. */
  startMs: number;
  /** With so much left, the signal of a running handler is aborted. */
  abortMs: number;
  /** With so much left, a message that has no end yet is returned. */
  giveUpMs: number;
}

/** Starts a timer, and returns the function that cancels it. */
export type StartTimer = (delayMs: number, callback: () => void) => () => void;

/** The largest share of a short invocation that each margin takes. */
const largestShares = { startMs: 0.2, abortMs: 0.1, giveUpMs: 0.05 } as const;

/** The error of a message that was not started, because too little time was left. */
export class NotStarted extends SagaboxError<'InvocationTimeout'> {}

export function isNotStarted(error: unknown): error is NotStarted {
  return isSagaboxError(error) && error instanceof NotStarted;
}

/** The part of its invocation's deadline that a delivery uses. */
export type DeliveryDeadline = Pick<
  InvocationDeadline,
  'assertTimeToStart' | 'remainingMs' | 'startableForMs' | 'untilGiveUp' | 'onStartMargin'
>;

interface LimitedAttempt {
  readonly messageId: string;
  readonly controller: AbortController;
  /** Ends the wait for the attempt. */
  readonly giveUp: () => void;
}

/** Limits when messages are started, aborted and returned. Outside of Lambda there is no limit. */
export class InvocationDeadline {
  readonly #remainingMs: () => number;
  readonly #margins: TimeMargins;
  readonly #startTimer: StartTimer;
  readonly #of: 'message' | 'request';
  /** The attempts that are under way: all share one timer. */
  readonly #limited = new Set<LimitedAttempt>();
  #cancelTimer = () => {};

  /**
   * Reads the remaining time at the beginning of the invocation: the margins depend on it.
   *
   * @param of what the invocation handles, for errors
   */
  constructor(
    remainingMs: () => number,
    margins: TimeMargins,
    startTimer: StartTimer,
    of: 'message' | 'request' = 'message',
  ) {
    const totalMs = remainingMs();
    const atMost = (name: keyof TimeMargins) => Math.min(margins[name], largestShares[name] * totalMs);
    this.#remainingMs = remainingMs;
    this.#margins = { startMs: atMost('startMs'), abortMs: atMost('abortMs'), giveUpMs: atMost('giveUpMs') };
    this.#startTimer = startTimer;
    this.#of = of;
  }

  get remainingMs(): number {
    return this.#remainingMs();
  }

  /** How long messages may still be started. */
  get startableForMs(): number {
    return this.remainingMs - this.#margins.startMs;
  }

  /**
   * Whether an attempt may be started, after a delay.
   *
   * @param costMs the duration of the last attempt: an attempt that would be cut off is not started
   */
  mayStart(afterMs = 0, costMs = 0): boolean {
    const { startMs, abortMs } = this.#margins;
    return this.remainingMs - afterMs > Math.max(startMs, costMs + abortMs);
  }

  /** @throws NotStarted when there is too little time left */
  assertTimeToStart(messageId: string): void {
    if (!this.mayStart()) throw this.notStarted(messageId);
  }

  /**
   * Refuses work that no caller would wait for any more. A handler that blocks the event loop may return
   * before the timer calls back.
   *
   * @throws SagaboxError `InvocationTimeout` when an attempt is given up by now
   */
  assertNotGivenUp(messageId: string): void {
    if (this.remainingMs <= this.#margins.giveUpMs) throw this.#timeout(messageId);
  }

  notStarted(messageId: string): NotStarted {
    return new NotStarted('InvocationTimeout', this.#facts(messageId));
  }

  /**
   * Calls back when no further message may be started, or earlier: a group that collects messages for one
   * commit ends then.
   *
   * @param atMostMs the longest time until the call
   * @returns a function that cancels the call
   */
  onStartMargin(callback: () => void, atMostMs = Number.POSITIVE_INFINITY): () => void {
    return this.#after(Math.min(this.startableForMs, atMostMs), callback);
  }

  /**
   * Aborts the signal of an attempt shortly before the end of the invocation, and stops waiting for it a
   * little later. Work in progress may still take effect: each call site says why that is safe.
   *
   * @param fail ends an attempt that is given up; it is waited for as long as there is time
   * @throws SagaboxError `InvocationTimeout` for an attempt that is given up
   */
  async limit(
    messageId: string,
    attempt: (signal: AbortSignal) => Promise<void>,
    fail: (error: Error) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    const { promise: hasEnded, resolve, reject } = Promise.withResolvers<boolean>();
    const limited: LimitedAttempt = { messageId, controller, giveUp: () => resolve(false) };
    this.#enter(limited);
    try {
      // An attempt that is given up may go on after the end of the invocation, where its errors reach nobody.
      attempt(controller.signal).then(() => resolve(true), reject);
      if (await hasEnded) return;
    } finally {
      this.#leave(limited);
    }
    const error = this.#timeout(messageId);
    // If there is no time to fail the attempt, the message is returned all the same.
    await this.untilEnd(() => fail(error)).catch(() => {});
    throw error;
  }

  /**
   * Makes a last call of an invocation, which must not delay the answer.
   *
   * @throws the error of the call, or an `AbortError` when there is no time left to wait for it
   */
  async untilEnd<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return await this.#until(this.#margins.giveUpMs / 2, call);
  }

  /** Like `untilEnd`, but ends before `giveUpMs`: a slow observer must not make the message time out. */
  async untilGiveUp<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { abortMs, giveUpMs } = this.#margins;
    const isGivenUp = this.remainingMs <= giveUpMs;
    return await this.#until(isGivenUp ? giveUpMs / 2 : (abortMs + giveUpMs) / 2, call);
  }

  async #until<T>(marginMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const { promise: timeIsUp, reject } = Promise.withResolvers<never>();
    const cancel = this.#before(marginMs, () => {
      controller.abort();
      reject(controller.signal.reason);
    });
    try {
      return await Promise.race([call(controller.signal), timeIsUp]);
    } finally {
      cancel();
    }
  }

  #enter(attempt: LimitedAttempt): void {
    const { abortMs } = this.#margins;
    this.#limited.add(attempt);
    if (this.#limited.size === 1) this.#cancelTimer = this.#before(abortMs, () => this.#abortAll());
    // The timer may have called back before.
    if (this.remainingMs <= abortMs) this.#abort(attempt);
  }

  #leave(attempt: LimitedAttempt): void {
    this.#limited.delete(attempt);
    if (this.#limited.size === 0) this.#cancelTimer();
  }

  #abortAll(): void {
    this.#cancelTimer = this.#before(this.#margins.giveUpMs, () => this.#giveUpAll());
    for (const attempt of this.#limited) this.#abort(attempt);
  }

  #abort({ controller, messageId }: LimitedAttempt): void {
    controller.abort(this.#timeout(messageId));
  }

  #giveUpAll(): void {
    const attempts = [...this.#limited];
    // Cleared at once: the next attempt that enters needs a timer again.
    this.#limited.clear();
    for (const { giveUp } of attempts) giveUp();
  }

  #timeout(messageId: string): SagaboxError {
    return new SagaboxError('InvocationTimeout', this.#facts(messageId));
  }

  #facts(messageId: string): ErrorFacts['InvocationTimeout'] {
    const remainingTimeMs = Math.max(0, Math.round(this.remainingMs));
    return { messageId, remainingTimeMs, ...(this.#of === 'request' && { of: this.#of }) };
  }

  #before(marginMs: number, callback: () => void): () => void {
    return this.#after(this.remainingMs - marginMs, callback);
  }

  /** Starts no timer for a delay beyond the limit of timers: no invocation that ends is that long. */
  #after(delayMs: number, callback: () => void): () => void {
    return delayMs <= MAX_TIMER_MS ? this.#startTimer(Math.max(0, delayMs), callback) : () => {};
  }
}
