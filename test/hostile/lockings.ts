import type { Locking } from 'sagabox';

/** Modes of endpoints on a table, with their names. */
export const lockings: [string, Locking][] = [
  ['optimistic', { mode: 'optimistic' }],
  [
    'pessimistic',
    {
      mode: 'pessimistic',
      leaseAcquisitionTimeout: { milliseconds: 30 },
      minRefreshDelay: { milliseconds: 5 },
      maxRefreshDelay: { milliseconds: 10 },
    },
  ],
];
