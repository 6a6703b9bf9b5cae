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
  /** Effects that no order may have, each named. */
  readonly unexpected: readonly string[];
}

export function effectKey(orderId: string, effect: string): string {
  return `${orderId} ${effect}`;
}

/** Compares what was found with what each order must have caused. */
export function judgeOrders(orders: readonly ExpectedOrder[], found: Effects): OrdersVerdict {
  const lost: string[] = [];
  const appliedTwice: string[] = [];
  const known = new Set<string>();
  let done = 0;
  for (const { orderId, effects, possible } of orders) {
    const times = (effect: string) => found.get(effectKey(orderId, effect)) ?? 0;
    const missing = effects.filter((effect) => times(effect) === 0);
    lost.push(...missing.map((effect) => `${effect} of ${orderId}`));
    for (const effect of [...effects, ...possible]) {
      known.add(effectKey(orderId, effect));
      if (times(effect) > 1) appliedTwice.push(`${effect} of ${orderId} (${times(effect)} times)`);
    }
    if (missing.length === 0) done += 1;
  }
  const unexpected = [...found]
    .filter(([key, times]) => times > 0 && !known.has(key))
    .map(([key, times]) => `${key} (${times} times)`);
  return { done, lost, appliedTwice, unexpected };
}
