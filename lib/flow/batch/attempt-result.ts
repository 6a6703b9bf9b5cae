import type { SharedDraw } from '../../core/async/shared-draw.ts';
import type { MessageSpan } from '../../ports.ts';

/** What an attempt begins with, and finds out for its delivery. It is complete whenever the attempt is cut off. */
export class AttemptResult {
  /** Whether no attempt at the message was made before, in any delivery. */
  readonly isFirst: boolean;
  readonly span: MessageSpan | undefined;
  #confirmStateIsCurrent: (() => Promise<boolean>) | undefined;
  #reportFailure: (() => Promise<unknown>) | undefined;
  #backoffDraw: SharedDraw | undefined;

  constructor(isFirst: boolean, span?: MessageSpan) {
    this.isFirst = isFirst;
    this.span = span;
  }

  /** The handler rests on a state that may be old. @param confirm reads whether it is the latest one */
  restOnState(confirm: () => Promise<boolean>): void {
    this.#confirmStateIsCurrent = confirm;
  }

  /** From here on a failure does not come of an old state: a condition of the commit tells of one. */
  restOnNoState(): void {
    this.#confirmStateIsCurrent = undefined;
  }

  /** Undefined where nothing has to be read to know that the state is the latest one. */
  get confirmStateIsCurrent(): (() => Promise<boolean>) | undefined {
    return this.#confirmStateIsCurrent;
  }

  /** Whether the failure counts shows later. @param report tells the observers of it, once it is known to count */
  failLater(report: () => Promise<unknown>): void {
    this.#reportFailure = report;
  }

  /** Undefined where the failure was told at once. */
  get reportFailure(): (() => Promise<unknown>) | undefined {
    return this.#reportFailure;
  }

  /** The message waits as long as others of its group do, so that the group comes back as a whole. */
  backOffWith(draw: SharedDraw): void {
    this.#backoffDraw = draw;
  }

  /** From 0 up to 1: how much of the longest delay the next attempt waits for. */
  backoff(random: () => number): number {
    return this.#backoffDraw?.take(random) ?? random();
  }
}
