import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/**
 * The longest time that requests wait for work under way, so that one slow call does not delay all others.
 */
export const MAX_GATHER_MS = 100;

/** Counts work of one kind that is under way, for requests that come when it has ended. */
export class InFlight {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** @param work counts from now on until it has ended */
  during<T>(work: Promise<T>): Promise<T> {
    this.#count += 1;
    return work.finally(() => {
      this.#count -= 1;
      if (this.#count === 0) for (const wake of this.#waiting) wake();
    });
  }

  /**
   * Waits for the requests of all work that is under way, each of which comes at another moment. Without such
   * work, as for a single message, the wait is this turn of the event loop only.
   *
   * @param left ends the wait early
   */
  async gatherBehind(clock: Clock, left: Promise<void>): Promise<void> {
    if (this.#count > 0) await this.#untilIdle(clock, left);
    await setImmediate();
  }

  async #untilIdle(clock: Clock, left: Promise<void>): Promise<void> {
    const idle = Promise.withResolvers<void>();
    const over = new AbortController();
    this.#waiting.add(idle.resolve);
    try {
      await Promise.race([idle.promise, left, clock.sleep(MAX_GATHER_MS, over.signal)]);
    } finally {
      this.#waiting.delete(idle.resolve);
      // The abort has a reason: without one, an error with its stack is made each time.
      over.abort('over');
    }
  }
}
