/** A place in the row of the messages that work on one saga. */
export interface SagaTurn {
  /** The end of the turn before; undefined for the first one, which need not wait. */
  readonly ahead: Promise<void> | undefined;
  /** Passes the turn on; called while waiting, passes it on as soon as it arrives. */
  end(): void;
}

/**
 * Lets the messages of one batch that belong to one saga go one after another, in the order in which they
 * ask.
 */
export class SagaTurns {
  readonly #last = new Map<string, Promise<void>>();

  take(key: string): SagaTurn {
    const ahead = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, promise);
    const isFirst = ahead === undefined;
    return { ahead, end: isFirst ? resolve : () => void ahead.then(resolve) };
  }
}
