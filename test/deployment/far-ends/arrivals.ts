import { effectKey } from './judge-orders.ts';

/** A message as it lies in a queue of somebody else's. */
export interface ArrivedMessage {
  readonly orderId: string;
  readonly type: string;
  readonly messageId: string;
}

/** What arrived at the far ends: a message may come twice under one id, which its receiver takes for one. */
export class Arrivals {
  readonly #idsByEffect = new Map<string, Set<string>>();
  /** All that came, copies included. */
  received = 0;

  take({ orderId, type, messageId }: ArrivedMessage): void {
    this.received += 1;
    const key = effectKey(orderId, type);
    const ids = this.#idsByEffect.get(key) ?? new Set<string>();
    this.#idsByEffect.set(key, ids.add(messageId));
  }

  /** Those that came under an id that had come before. */
  get again(): number {
    return this.received - this.effects.reduce((sum, [, ids]) => sum + ids, 0);
  }

  /** How many messages of different ids there are of each type and order. */
  get effects(): [string, number][] {
    return [...this.#idsByEffect].map(([key, ids]) => [key, ids.size]);
  }
}
