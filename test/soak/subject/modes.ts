import type { Locking } from 'sagabox';

export const modes = ['optimistic', 'eventual', 'pessimistic'] as const;
export type Mode = (typeof modes)[number];

/** Short, so that what a killed worker had locked is free again soon; and some handlers take longer. */
export const leaseDurationMs = 1500;

export const lockings: Readonly<Record<Mode, Locking>> = {
  optimistic: { mode: 'optimistic' },
  eventual: { mode: 'optimistic', consistentRead: false },
  pessimistic: {
    mode: 'pessimistic',
    leaseDuration: { milliseconds: leaseDurationMs },
    leaseAcquisitionTimeout: { seconds: 3 },
    minRefreshDelay: { milliseconds: 20 },
    maxRefreshDelay: { milliseconds: 100 },
  },
};
