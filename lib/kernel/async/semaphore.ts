/** Lets so much work go on at a time; what is more waits for its turn, in order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits: number) {
    this.#free = permits;
  }

  /** @returns undefined where a permit is free */
  acquire(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
    return undefined;
  }

  release(): void {
    const next = this.#waiting.shift();
    // A permit is handed over: who comes now must not overtake.
    if (next) next();
    else this.#free += 1;
  }
}
