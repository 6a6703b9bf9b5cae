/** The same numbers for the same seed. Source of the constants: "Numerical Recipes". */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Seeds that lie close together begin alike.
    for (let round = 0; round < 8; round += 1) this.next();
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  /** A whole number from 0, below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
}
