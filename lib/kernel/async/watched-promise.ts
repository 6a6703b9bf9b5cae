/** A promise that knows whether anybody waits for it, and whether it is settled. It needs nobody who does. */
export class WatchedPromise<T> extends Promise<T> {
  #isAwaited = false;
  #isSettled = false;

  static of<T>(work: Promise<T>): WatchedPromise<T> {
    const watched = new WatchedPromise<T>((resolve) => resolve(work));
    const note = () => {
      watched.#isSettled = true;
    };
    // Not its own `then`, which notes who waits.
    Promise.prototype.then.call(watched, note, note);
    return watched;
  }

  /** What `then` and the others return is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Whether somebody waited for it, and its result is known: what they did with it may be done. */
  get wasAwaited(): boolean {
    return this.#isAwaited && this.#isSettled;
  }

  /** `await`, `catch` and `finally` call it too. */
  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<Fulfilled = T, Rejected = never>(
    onFulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#isAwaited = true;
    return super.then(onFulfilled, onRejected);
  }
}
