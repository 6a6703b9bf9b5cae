import { SagaboxError } from '../core/errors.ts';
import { type SagaIdentity, sagaKey } from '../core/keys.ts';
import { abandon } from './abandon.ts';
import type { Handling } from './attempt.ts';
import type { SagaTurns } from './saga-turns.ts';

/** One record's way through a batch, over all its attempts. */
export class Delivery {
  readonly #turns: SagaTurns;
  #endTurn: (() => void) | undefined;
  #open: Handling | undefined;

  constructor(turns: SagaTurns) {
    this.#turns = turns;
  }

  /** Kept until the delivery ends, so that a message that is tried again stays ahead of those behind it. */
  async takeTurn(saga: SagaIdentity): Promise<void> {
    this.#endTurn ??= await this.#turns.take(sagaKey(saga).partition);
  }

  /** From here on `assertSettled` throws, until `settle` is called. */
  open(handling: Handling): void {
    this.#open = handling;
  }

  settle(): void {
    this.#open = undefined;
  }

  /** Refuses to acknowledge a message whose handler ran, but whose commit another middleware cut off. */
  async assertSettled(): Promise<void> {
    const handling = this.#open;
    if (handling === undefined) return;
    this.settle();
    const error = new SagaboxError('CommitSkipped', { messageId: handling.message.id });
    await abandon(handling, error);
    throw error;
  }

  end(): void {
    this.#endTurn?.();
  }
}
