/** One random number for all who back off together. */
export class SharedDraw {
  #value: number | undefined;

  take(random: () => number): number {
    this.#value ??= random();
    return this.#value;
  }
}
