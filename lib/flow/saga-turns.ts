/** Lets the messages of one batch that belong to one saga go one after another, in the order in which they ask. */
export class SagaTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** @returns what gives the turn to the next one */
  async take(key: string): Promise<() => void> {
    const previous = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, promise);
    await previous;
    return resolve;
  }
}
