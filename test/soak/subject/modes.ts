import type { Locking } from 'sagabox';

/** Those of sagas with an embedded outbox are named by it: their reads are eventually consistent without a lease. */
export const modes = ['optimistic', 'eventual', 'pessimistic', 'embedded', 'embeddedPessimistic'] as const;
export type Mode = (typeof modes)[number];

/** Short, so that what a killed worker had locked is free again soon; and some handlers take longer. */
export const leaseDurationMs = 1500;

export function isEmbedded(mode: Mode): boolean {
  return mode === 'embedded' || mode === 'embeddedPessimistic';
}

const pessimistic: Locking = {
  mode: 'pessimistic',
  leaseDuration: { milliseconds: leaseDurationMs },
  leaseAcquisitionTimeout: { seconds: 3 },
  minRefreshDelay: { milliseconds: 20 },
  maxRefreshDelay: { milliseconds: 100 },
};

export const lockings: Readonly<Record<Mode, Locking>> = {
  optimistic: { mode: 'optimistic' },
  eventual: { mode: 'optimistic', consistentRead: false },
  pessimistic,
  embedded: { mode: 'optimistic' },
  embeddedPessimistic: pessimistic,
};
