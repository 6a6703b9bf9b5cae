/** How often each thing happened, by its name. */
export type Counts = Readonly<Record<string, number>>;

export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, this.of(name) + count);
  }

  addAll(counts: Counts): void {
    for (const [name, count] of Object.entries(counts)) this.add(name, count);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  get counts(): Counts {
    return Object.fromEntries(this.#counts);
  }

  /** All counts, and begins anew. */
  take(): Counts {
    const { counts } = this;
    this.#counts.clear();
    return counts;
  }
}
