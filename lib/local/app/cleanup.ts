/** Remembers how to release what was acquired, and releases it in reverse order, whatever fails meanwhile. */
export class Cleanup {
  readonly #releases: (() => unknown)[] = [];
  #released: Promise<void> | undefined;

  add(release: () => unknown): void {
    this.#releases.push(release);
  }

  /** Safe to call more than once: all callers wait for the one release. */
  run(): Promise<void> {
    this.#released ??= this.#run();
    return this.#released;
  }

  async #run(): Promise<void> {
    const failures: unknown[] = [];
    for (const release of this.#releases.reverse()) {
      try {
        await release();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
