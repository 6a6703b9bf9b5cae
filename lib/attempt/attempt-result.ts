import type { SharedDraw } from '../kernel/async/shared-draw.ts';
import type { MessageSpan } from '../observe/tracing/message-span.ts';

/** The facts of one attempt that its delivery needs. They are complete whenever the attempt is cut off. */
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

  /** Notes that the state of the handler may be old. @param confirm reads whether it is the latest one */
  noteStateMayBeOld(confirm: () => Promise<boolean>): void {
    this.#confirmStateIsCurrent = confirm;
  }

  /** Notes that a later failure needs no check of the state: a condition of the commit detects an old one. */
  noteStateNeedsNoCheck(): void {
    this.#confirmStateIsCurrent = undefined;
  }

  /** Reads whether the state is the latest one; `undefined` if no read is needed to know that. */
  get confirmStateIsCurrent(): (() => Promise<boolean>) | undefined {
    return this.#confirmStateIsCurrent;
  }

  /** Delays the report of a failure until it is known to count. @param report tells the observers */
  failLater(report: () => Promise<unknown>): void {
    this.#reportFailure = report;
  }

  /** The delayed report of a failure; `undefined` if the failure was reported at once. */
  get reportFailure(): (() => Promise<unknown>) | undefined {
    return this.#reportFailure;
  }

  /** Makes the message wait as long as the others of its group, so that the group comes back as a whole. */
  backOffWith(draw: SharedDraw): void {
    this.#backoffDraw = draw;
  }

  /** The share of the longest delay that the next attempt waits for, from 0 up to 1. */
  backoff(random: () => number): number {
    return this.#backoffDraw?.take(random) ?? random();
  }
}
