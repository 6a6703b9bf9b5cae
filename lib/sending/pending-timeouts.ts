/** A timeout that a saga requested, and that neither fired nor was cancelled yet. */
export interface PendingTimeout {
  /** The id of the timeout's message. */
  readonly id: string;
  readonly type: string;
  /** Whether the timeout waits in a schedule, which can be taken back, and not in the queue itself. */
  readonly scheduled: boolean;
}

export class PendingTimeouts {
  readonly #stored: readonly PendingTimeout[];
  #current: readonly PendingTimeout[];

  constructor(stored: readonly PendingTimeout[] = []) {
    this.#stored = stored;
    this.#current = stored;
  }

  get current(): readonly PendingTimeout[] {
    return this.#current;
  }

  get hasChanged(): boolean {
    const [stored, current] = [this.#stored, this.#current];
    return stored.length !== current.length || stored.some(({ id }, index) => id !== current[index]?.id);
  }

  add(timeout: PendingTimeout): void {
    this.#current = [...this.#current, timeout];
  }

  remove(isMeant: (timeout: PendingTimeout) => boolean): readonly PendingTimeout[] {
    const removed = this.#current.filter(isMeant);
    this.#current = this.#current.filter((timeout) => !removed.includes(timeout));
    return removed;
  }
}
