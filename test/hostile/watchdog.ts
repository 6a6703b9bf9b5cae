import { Worker } from 'node:worker_threads';

/** Until then the thread that runs the cases tells by itself of one that takes too long. */
const PATIENCE = 2;

const IDLE = 0;

/**
 * Sees from a thread of its own whether a case comes to its end. No timer of the thread that an endless loop
 * blocks fires any more: only from outside can the process be ended, and its seed told.
 */
export class Watchdog {
  readonly #running = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly #thread: Worker;

  constructor(propertyName: string, maxCaseMs: number) {
    const workerData = { running: this.#running, propertyName, maxMs: PATIENCE * maxCaseMs };
    this.#thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData });
    this.#thread.unref();
  }

  /** @param caseNumber from 1 */
  start(caseNumber: number, seed: number): void {
    Atomics.store(this.#running, 1, seed);
    Atomics.store(this.#running, 0, caseNumber);
  }

  /** Nothing where another case has begun: one that was given up may still end. */
  end(caseNumber: number): void {
    Atomics.compareExchange(this.#running, 0, caseNumber, IDLE);
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
