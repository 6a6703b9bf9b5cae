interface Turn<Owner> {
  readonly owner: Owner;
  readonly begin: () => void;
}

/**
 * Lets so much work of several owners go on at a time. A permit that becomes free goes to the owner who has the
 * fewest, so that slow work of one does not take them from the others.
 */
export class FairSemaphore<Owner> {
  readonly #held = new Map<Owner, number>();
  /** In the order in which they came. */
  readonly #waiting: Turn<Owner>[] = [];
  #free: number;

  constructor(permits: number) {
    this.#free = permits;
  }

  async run<Result>(owner: Owner, work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#take(owner);
    else await new Promise<void>((begin) => this.#waiting.push({ owner, begin }));
    try {
      return await work();
    } finally {
      this.#giveBack(owner);
    }
  }

  #take(owner: Owner): void {
    this.#free -= 1;
    this.#held.set(owner, this.#heldBy(owner) + 1);
  }

  #giveBack(owner: Owner): void {
    this.#free += 1;
    this.#held.set(owner, this.#heldBy(owner) - 1);
    const next = this.#next();
    if (next === undefined) return;
    // Taken at once: who comes now must not overtake, and whoever gives back next is to see it.
    this.#take(next.owner);
    next.begin();
  }

  #next(): Turn<Owner> | undefined {
    const fewest = Math.min(...this.#waiting.map(({ owner }) => this.#heldBy(owner)));
    const index = this.#waiting.findIndex(({ owner }) => this.#heldBy(owner) === fewest);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  #heldBy(owner: Owner): number {
    return this.#held.get(owner) ?? 0;
  }
}
