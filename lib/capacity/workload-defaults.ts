import { defaultMessageLifetime } from '../kernel/message-lifetime.ts';
import type { Workload } from './workload.ts';

export const workloadDefaults = {
  /** As `MessageEndpoint` sets it with the defaults of its queues. */
  deduplicationPeriod: defaultMessageLifetime,
  targetUtilizationPercent: 70,
  batchSize: 1,
  sharedTable: false,
  region: 'us-east-1',
} as const satisfies Partial<Workload>;
