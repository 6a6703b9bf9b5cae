import type { ExpectedOrder } from './expected-effects.ts';

/** How often each effect of each order was found, by `effectKey`. */
export type Effects = ReadonlyMap<string, number>;

export interface OrdersVerdict {
  /** Orders of which every effect is there. */
  readonly done: number;
  /** Effects that should be there and are not, each named. */
  readonly lost: readonly string[];
  /** Effects that are there more than once, each named. */
  readonly appliedTwice: readonly string[];
}

export function effectKey(orderId: string, effect: string): string {
  return `${orderId} ${effect}`;
}

/** Compares what was found with what each order must have caused. */
export function judgeOrders(orders: readonly ExpectedOrder[], found: Effects): OrdersVerdict {
  const lost: string[] = [];
  const appliedTwice: string[] = [];
  let done = 0;
  for (const { orderId, effects, possible } of orders) {
    const times = (effect: string) => found.get(effectKey(orderId, effect)) ?? 0;
    const missing = effects.filter((effect) => times(effect) === 0);
    lost.push(...missing.map((effect) => `${effect} of ${orderId}`));
    for (const effect of [...effects, ...possible]) {
      if (times(effect) > 1) appliedTwice.push(`${effect} of ${orderId} (${times(effect)} times)`);
    }
    if (missing.length === 0) done += 1;
  }
  return { done, lost, appliedTwice };
}
