import { isDataFile } from './sources.ts';

const MAX_SYNTHS = 3;

/**
 * Data files that change without changing the app, such as one that a handler or the synth writes: they would
 * have it synthesized again and again. Code always counts, and so does what changes together with it.
 */
export class IneffectiveFiles {
  readonly #synths = new Map<string, number>();

  /** Without the files that were found to be ineffective. */
  effective(changed: readonly string[]): readonly string[] {
    return changed.filter((path) => this.#synthsOf(path) < MAX_SYNTHS);
  }

  /** Learns from a synth after changes. @returns the files that it found to be ineffective */
  learn(changed: readonly string[], hadEffect: boolean): readonly string[] {
    if (!changed.every(isDataFile)) return [];
    for (const path of changed) this.#synths.set(path, hadEffect ? 0 : this.#synthsOf(path) + 1);
    return changed.filter((path) => this.#synthsOf(path) === MAX_SYNTHS);
  }

  #synthsOf(path: string): number {
    return this.#synths.get(path) ?? 0;
  }
}
