import { SagaboxError } from '../core/errors.ts';
import { type SagaIdentity, sagaKey } from '../core/keys.ts';
import { abandon } from './abandon.ts';
import type { Handling } from './attempt.ts';
import type { SagaTurns } from './saga-turns.ts';

/** One record's way through a batch, over all its attempts. */
export class Delivery {
  readonly #turns: SagaTurns;
  #endTurn: (() => void) | undefined;
  #uncommittedId: string | undefined;
  #open: Handling | undefined;

  constructor(turns: SagaTurns) {
    this.#turns = turns;
  }

  startAttempt(): void {
    this.completed();
  }

  /** Kept until the delivery ends, so that a message that is tried again stays ahead of those behind it. */
  async takeTurn(saga: SagaIdentity): Promise<void> {
    this.#endTurn ??= await this.#turns.take(sagaKey(saga).partition);
  }

  /** The handler may run: from here on the attempt counts only when it is completed. */
  opened(handling: Handling): void {
    this.#uncommittedId = handling.message.id;
    this.#open = handling;
  }

  completed(): void {
    this.#uncommittedId = undefined;
    this.#open = undefined;
  }

  abandoned(): void {
    this.#open = undefined;
  }

  /** Refuses to acknowledge a message whose commit another middleware cut off, or whose error it swallowed. */
  async assertCommitted(): Promise<void> {
    if (this.#uncommittedId === undefined) return;
    const error = new SagaboxError('CommitSkipped', { messageId: this.#uncommittedId });
    if (this.#open) await abandon(this.#open, error);
    throw error;
  }

  end(): void {
    this.#endTurn?.();
  }
}
