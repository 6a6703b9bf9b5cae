import type { Counts } from './worker-protocol.ts';

/** Counts by name. */
export class Tally {
  #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, this.of(name) + count);
  }

  addAll(counts: Counts): void {
    for (const [name, count] of Object.entries(counts)) this.add(name, count);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** All of them; begins anew. */
  take(): Counts {
    const taken = Object.fromEntries(this.#counts);
    this.#counts = new Map();
    return taken;
  }
}
