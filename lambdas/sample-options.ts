import type { Locking } from 'sagabox';
import { printReport } from './print-report.ts';

/**
 * By the name of the mode. The lease is short, for a run in which its holders are killed, and renewed while
 * they live.
 */
const lockings: Readonly<Record<string, Locking>> = {
  optimistic: { mode: 'optimistic' },
  eventual: { mode: 'optimistic', consistentRead: false },
  pessimistic: { mode: 'pessimistic', leaseDuration: { seconds: 2 }, renew: true },
};

const locking = lockings[process.env.SAMPLE_LOCKING ?? 'optimistic'];

/**
 * `SAMPLE_OUTBOX=false` turns the outbox off, to show what it is good for; `SAMPLE_LOCKING` sets the mode.
 */
export const sampleOptions = {
  outbox: process.env.SAMPLE_OUTBOX !== 'false',
  ...(locking && { locking }),
  onMessage: printReport,
};
