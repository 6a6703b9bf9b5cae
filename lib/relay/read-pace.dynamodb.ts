import type { Clock } from '../kernel/clock.ts';

/** DynamoDB reads no more than 1 MB a page, whatever the limit is. */
const MAX_ITEMS = 10_000;

/** Keeps reads to a rate: each page waits for the units of those before. A page takes about a second. */
export class ReadPace {
  readonly #unitsPerSecond: number;
  readonly #clock: Clock;
  #paidUntilMs: number;
  #items: number;

  constructor(unitsPerSecond: number, clock: Clock) {
    this.#unitsPerSecond = unitsPerSecond;
    this.#clock = clock;
    this.#paidUntilMs = clock.now().getTime();
    // Nothing is known of the items yet: the first page counts half a unit for each.
    this.#items = withinPage(2 * unitsPerSecond);
  }

  /** The number of items that a page reads, at most. */
  get items(): number {
    return this.#items;
  }

  /** Waits until the units that were read are paid; the signal ends the wait early. */
  async wait(signal?: AbortSignal): Promise<void> {
    const delayMs = Math.ceil(this.#paidUntilMs - this.#clock.now().getTime());
    if (delayMs > 0) await this.#clock.sleep(delayMs, signal);
  }

  /** Counts the units of a page. Time without reads is not saved up: its units would be spent at once. */
  spend(units: number, items: number): void {
    const beginMs = Math.max(this.#paidUntilMs, this.#clock.now().getTime());
    this.#paidUntilMs = beginMs + (1000 * units) / this.#unitsPerSecond;
    if (items > 0 && units > 0) this.#items = withinPage((items / units) * this.#unitsPerSecond);
  }
}

function withinPage(items: number): number {
  return Math.min(MAX_ITEMS, Math.max(1, Math.floor(items)));
}
