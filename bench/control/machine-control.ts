import { median } from '../../test/support/median.ts';
import { processorShare } from './processor-share.ts';

/** Below it, other processes use so much that times say little. One busy process leaves 0.67 of two processors. */
export const leastShare = 0.8;
/** A control takes 100 ms, which measurements of milliseconds must not meet often. */
const intervalMs = 5_000;

/**
 * Control of a measurement: the share of the processors that is left for it, before it, between its runs, and after it.
 * It counts what is in the way of most of them, as the medians of the runs do.
 */
export class MachineControl {
  readonly #measure: () => Promise<number>;
  readonly #now: () => number;
  readonly #shares = new Map<string, number[]>();
  #current: number[] = [];
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(measure = processorShare, now = () => performance.now()) {
    this.#measure = measure;
    this.#now = now;
  }

  /** Measures a part of what is measured, and the machine before and after it. */
  async during<T>(part: string, work: () => Promise<T>): Promise<T> {
    this.#current = [];
    this.#shares.set(part, this.#current);
    await this.#control();
    const result = await work();
    await this.#control();
    return result;
  }

  /** To be called between two runs: controls every few seconds. */
  async betweenRuns(): Promise<void> {
    if (this.#now() - this.#measuredAt >= intervalMs) await this.#control();
  }

  isBusy(part: string): boolean {
    const shares = this.#shares.get(part) ?? [];
    return shares.length > 0 && median(shares) < leastShare;
  }

  async #control(): Promise<void> {
    this.#current.push(await this.#measure());
    this.#measuredAt = this.#now();
  }
}
