import type { Locking } from 'sagabox';

/** Every journey is told once, and run in each of these. */
export const modes: readonly { name: string; locking: Locking }[] = [
  { name: 'optimistic', locking: { mode: 'optimistic' } },
  { name: 'eventual', locking: { mode: 'optimistic', consistentRead: false } },
  {
    name: 'pessimistic',
    locking: {
      mode: 'pessimistic',
      minRefreshDelay: { milliseconds: 5 },
      maxRefreshDelay: { milliseconds: 20 },
    },
  },
];
