import { defaultDeduplicationPeriod } from '../core/storage/table-defaults.ts';
import type { Workload } from './workload.ts';

export const workloadDefaults = {
  deduplicationPeriod: defaultDeduplicationPeriod,
  targetUtilizationPercent: 70,
  batchSize: 1,
  sharedTable: false,
  region: 'us-east-1',
} as const satisfies Partial<Workload>;
