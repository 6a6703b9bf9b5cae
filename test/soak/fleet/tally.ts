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

  /** Those whose names begin with the prefix, without it. */
  under(prefix: string): Counts {
    const matching = [...this.#counts].filter(([name]) => name.startsWith(prefix));
    return Object.fromEntries(matching.map(([name, count]) => [name.slice(prefix.length), count]).sort());
  }

  /** All of them; begins anew. */
  take(): Counts {
    const taken = Object.fromEntries(this.#counts);
    this.#counts = new Map();
    return taken;
  }
}
