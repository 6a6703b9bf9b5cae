import { type ScaledClock, scaledClock } from '../app/scaled-clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly action: () => Promise<void>;
}

const maxTimeoutMs = 2 ** 31 - 1;

/** Runs actions at times of a clock that is as fast as that of the queues, and jumps ahead with it. */
export class QueueTimers {
  readonly #clock: ScaledClock;
  readonly #timeScale: number;
  readonly #waiting = new Set<Timer>();
  readonly #running = new Set<Promise<void>>();
  #timeout: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(timeScale: number) {
    this.#timeScale = timeScale;
    this.#clock = scaledClock(timeScale, Date.now);
  }

  /** Milliseconds since 1970 on the clock of the queues. */
  now(): number {
    return this.#clock.now();
  }

  advance(milliseconds: number): void {
    this.#clock.advance(milliseconds);
    this.#runDue();
  }

  /**
   * Runs the action once, at a time of the clock of the queues, at once when that has passed.
   *
   * @param action never rejects.
   * @returns how to call it off.
   */
  schedule(dueMs: number, action: () => Promise<void>): () => void {
    const timer: Timer = { dueMs, action };
    this.#waiting.add(timer);
    this.#arm();
    return () => this.#waiting.delete(timer);
  }

  /** Calls off what waits, and waits for what runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timeout);
    this.#waiting.clear();
    await Promise.all(this.#running);
  }

  #runDue(): void {
    const due = [...this.#waiting]
      .filter(({ dueMs }) => dueMs <= this.now())
      .sort((one, other) => one.dueMs - other.dueMs);
    for (const timer of due) {
      this.#waiting.delete(timer);
      const run = timer.action().finally(() => this.#running.delete(run));
      this.#running.add(run);
    }
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timeout);
    if (this.#stopped || this.#waiting.size === 0) return;
    const nextMs = Math.min(...[...this.#waiting].map(({ dueMs }) => dueMs));
    const realMs = Math.ceil(Math.max(0, nextMs - this.now()) / this.#timeScale);
    this.#timeout = setTimeout(() => this.#runDue(), Math.min(realMs, maxTimeoutMs));
  }
}
