import { isSagaboxError, SagaboxError } from '../../core/failures/errors.ts';

/** Milliseconds of an invocation that are kept back at its end. */
export interface TimeMargins {
  /** With less left, no message is started. */
  startMs: number;
  /** With so much left, the signal of a running handler is aborted. */
  abortMs: number;
  /** With so much left, a message that has no end yet is returned. */
  giveUpMs: number;
}

/** Calls back after a while, unless it is cancelled before. */
export type StartTimer = (delayMs: number, callback: () => void) => () => void;

/** Node fires timers with a longer delay immediately; no invocation is that long. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** No margin takes more of a short invocation than this part of it. */
const largestShares = { startMs: 0.2, abortMs: 0.1, giveUpMs: 0.05 } as const;

/** There was too little time to start a message: it was not touched. */
export class NotStarted extends SagaboxError<'InvocationTimeout'> {}

export function isNotStarted(error: unknown): error is NotStarted {
  return isSagaboxError(error) && error instanceof NotStarted;
}

/** When the messages of an invocation have to be started, aborted and returned. Outside of Lambda, never. */
export class InvocationDeadline {
  readonly #remainingMs: () => number;
  readonly #margins: TimeMargins;
  readonly #startTimer: StartTimer;

  /** Made when the invocation begins: its margins depend on its remaining time. */
  constructor(remainingMs: () => number, margins: TimeMargins, startTimer: StartTimer) {
    const totalMs = remainingMs();
    const atMost = (name: keyof TimeMargins) => Math.min(margins[name], largestShares[name] * totalMs);
    this.#remainingMs = remainingMs;
    this.#margins = { startMs: atMost('startMs'), abortMs: atMost('abortMs'), giveUpMs: atMost('giveUpMs') };
    this.#startTimer = startTimer;
  }

  get remainingMs(): number {
    return this.#remainingMs();
  }

  /** How long messages may still be started. */
  get startableForMs(): number {
    return this.remainingMs - this.#margins.startMs;
  }

  /** Calls back when no message may be started any more, or after this time if that comes first. */
  whenUnstartable(atMostMs: number, callback: () => void): () => void {
    const delayMs = Math.min(atMostMs, this.startableForMs);
    return delayMs <= MAX_TIMER_MS ? this.#startTimer(Math.max(0, delayMs), callback) : () => {};
  }

  /**
   * Whether an attempt may be started, after a delay.
   *
   * @param costMs what the last attempt took: one that would be cut off is not begun
   */
  mayStart(afterMs = 0, costMs = 0): boolean {
    const { startMs, abortMs } = this.#margins;
    return this.remainingMs - afterMs > Math.max(startMs, costMs + abortMs);
  }

  /** @throws NotStarted when there is too little time left */
  assertTimeToStart(messageId: string): void {
    if (!this.mayStart()) throw this.notStarted(messageId);
  }

  notStarted(messageId: string): NotStarted {
    return new NotStarted('InvocationTimeout', this.#facts(messageId));
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
    const timeout = () => new SagaboxError('InvocationTimeout', this.#facts(messageId));
    const running = attempt(controller.signal);
    const { promise: timeIsUp, resolve } = Promise.withResolvers<'time is up'>();
    const { abortMs, giveUpMs } = this.#margins;
    let cancel = this.#before(abortMs, () => {
      controller.abort(timeout());
      cancel = this.#before(giveUpMs, () => resolve('time is up'));
    });
    try {
      if ((await Promise.race([running, timeIsUp])) !== 'time is up') return;
    } finally {
      cancel();
    }
    // It may go on behind the end of the invocation, where nobody waits for it.
    running.catch(() => {});
    const error = timeout();
    controller.abort(error);
    // The message is returned all the same when there is no time for that.
    await this.untilEnd(() => fail(error)).catch(() => {});
    throw error;
  }

  /**
   * Makes a last call of an invocation, which must not keep it from answering in time.
   *
   * @throws what the call throws, or an `AbortError` when there is no time left to wait for it
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

  #facts(messageId: string): { messageId: string; remainingTimeMs: number } {
    return { messageId, remainingTimeMs: Math.max(0, Math.round(this.remainingMs)) };
  }

  #before(marginMs: number, callback: () => void): () => void {
    const delayMs = this.remainingMs - marginMs;
    return delayMs <= MAX_TIMER_MS ? this.#startTimer(Math.max(0, delayMs), callback) : () => {};
  }
}
