const START_MS = Date.parse('2026-01-01T00:00:00Z');

export interface Timer {
  readonly atMs: number;
  /** Whoever waits for it; when it dies, the timer is gone. */
  readonly owner: object;
  readonly callback: () => void;
}

/** Time that moves only when it is told to, with the timers that wait for it. */
export class SimulatedTime {
  #nowMs = START_MS;
  #timers: Timer[] = [];

  get nowMs(): number {
    return this.#nowMs;
  }

  get elapsedMs(): number {
    return this.#nowMs - START_MS;
  }

  start(owner: object, delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, Math.ceil(delayMs)), owner, callback };
    this.#timers.push(timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  of(owner: object): Timer[] {
    return this.#timers.filter((timer) => timer.owner === owner);
  }

  drop(owner: object): void {
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }

  /** Fires the timers up to a time, each when what the one before led to is at rest. */
  async moveTo(timeMs: number): Promise<void> {
    for (let next = this.#next(timeMs); next; next = this.#next(timeMs)) {
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#timers.splice(this.#timers.indexOf(next), 1);
      next.callback();
      await settled();
    }
    this.#nowMs = Math.max(this.#nowMs, timeMs);
  }

  #next(untilMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.atMs <= untilMs && (next === undefined || timer.atMs < next.atMs)) next = timer;
    }
    return next;
  }
}

/** Until all that can go on without an answer or a timer has gone on: ticks come behind all microtasks. */
export function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
