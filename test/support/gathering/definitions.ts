import { defineContract, defineHandlers, scatterGather } from 'sagabox';
import * as z from 'zod';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';
import { outboxOfForm } from '../outbox-of-form.ts';

const value = z.object({ requestId: z.string(), value: z.int() });

const echo = defineContract('echo', { Ask: value }, { replies: { Told: value } });

export interface GatheringForm {
  readonly width: number;
  readonly outbox: SagaOutboxForm;
  readonly coalesce: boolean;
}

/** Of the values 1 to n: a reply that is counted twice or not at all shows. */
export interface Sums {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

export function gathering({ outbox, ...form }: GatheringForm) {
  const sumOf = (one: Sums, other: Sums): Sums => ({
    count: one.count + other.count,
    sum: one.sum + other.sum,
    squares: one.squares + other.squares,
  });
  return scatterGather({
    name: 'Gathering',
    endpoint: 'gathering',
    asks: echo,
    request: 'Ask',
    reply: 'Told',
    timeout: { minutes: 5 },
    gather: {
      initial: (): Sums => ({ count: 0, sum: 0, squares: 0 }),
      add: (sums, { value }) => sumOf(sums, { count: 1, sum: value, squares: value ** 2 }),
      merge: sumOf,
    },
    resultTo: 'results',
    outbox: outboxOfForm(outbox),
    ...form,
  });
}

export const echoing = defineHandlers({
  messages: echo.messages,
  replies: [echo],
  handlers: { Ask: ({ body }, { reply }) => reply('Told', body) },
});

export function expectedSums(requests: number): Sums {
  const values = Array.from({ length: requests }, (_, index) => index + 1);
  const total = (of: (value: number) => number) => values.reduce((sum, each) => sum + of(each), 0);
  return { count: requests, sum: total((each) => each), squares: total((each) => each ** 2) };
}
