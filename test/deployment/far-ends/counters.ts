import type { ExpectedOrder } from './expected-effects.ts';
import { type Effects, effectKey } from './judge-orders.ts';

/** Each endpoint sends what it has counted on to the next one. */
export const countingEndpoints = ['Stock', 'Parcels', 'Orders', 'Billing'] as const;

export type CountingEndpoint = (typeof countingEndpoints)[number];

/** Of the counters that have outbox records. */
export const counterNames = countingEndpoints.filter((endpoint) => endpoint !== 'Parcels').map(counterNameOf);

export function counterNameOf(endpoint: CountingEndpoint): string {
  return `${endpoint}Counter`;
}

/** A saga that counts numbers, each from a message of its own. */
export interface Counter {
  /** Of the saga. */
  readonly name: string;
  readonly id: string;
  /** Whether the numbers have to come in their order, as from one FIFO group. */
  readonly isInOrder: boolean;
}

/** As it is stored; one that does not exist has no numbers. */
export interface CountedNumbers extends Counter {
  readonly version: number;
  readonly numbers: readonly number[];
}

const nameOf = ({ name, id }: Counter) => `${name}#${id}`;
const effectOf = (number: number) => `number ${number}`;

export function expectedOfCounter(counter: Counter, numbers: readonly number[]): ExpectedOrder {
  return {
    orderId: nameOf(counter),
    effects: numbers.map(effectOf),
    possible: [],
    pendingTimeouts: [],
    afterUpdate: false,
  };
}

/** How often each number was counted, and what no counter may have. */
export function effectsOfCounters(counters: readonly CountedNumbers[]): Effects {
  const effects = new Map<string, number>();
  const add = (counter: Counter, effect: string) => {
    const key = effectKey(nameOf(counter), effect);
    effects.set(key, (effects.get(key) ?? 0) + 1);
  };
  for (const counter of counters) {
    const { isInOrder, numbers, version } = counter;
    for (const number of numbers) add(counter, effectOf(number));
    // Each message that changes a saga adds 1 to its version, however many share its write.
    if (version !== numbers.length) add(counter, `version ${version} after ${numbers.length} messages`);
    const isSorted = numbers.every((number, index) => index === 0 || number > Number(numbers[index - 1]));
    if (isInOrder && !isSorted) add(counter, 'numbers in another order');
  }
  return effects;
}
