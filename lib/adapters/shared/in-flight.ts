/** Counts work of one kind that is under way, for those who had better wait until it ends. */
export class InFlight {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  get count(): number {
    return this.#count;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const wake of this.#waiting) wake();
    }
  }

  /**
   * Waits until nothing is under way, but no longer than for the sleep, which is ended when it is no more
   * needed.
   *
   * @param left ends the wait too
   */
  async untilIdle(sleep: (signal: AbortSignal) => Promise<void>, left: Promise<void>): Promise<void> {
    if (this.#count === 0) return;
    const idle = Promise.withResolvers<void>();
    const over = new AbortController();
    this.#waiting.add(idle.resolve);
    try {
      await Promise.race([idle.promise, left, sleep(over.signal)]);
    } finally {
      this.#waiting.delete(idle.resolve);
      // With a reason: otherwise an error is made for it, stack and all, each time.
      over.abort('over');
    }
  }
}
