import type { RegionPrices } from '../../capacity/prices.ts';
import type { Workload } from '../../capacity/workload.ts';
import type { AutoscaledCapacity } from './autoscaled-capacity.ts';
import type { ScheduledPeak, ScheduledWorkloadPeak } from './scheduled-peak.ts';

/** What `TableCapacity.onDemand` was given. */
export interface OnDemandCapacity {
  readonly mode: 'onDemand';
  readonly maxReadRequestUnits?: number;
  readonly maxWriteRequestUnits?: number;
  readonly workloads: readonly Workload[];
  readonly prices?: RegionPrices;
}

/** What `TableCapacity.provisioned` was given. */
export interface ProvisionedCapacity {
  readonly mode: 'provisioned';
  readonly read: AutoscaledCapacity;
  readonly write: AutoscaledCapacity;
  readonly scheduledPeaks: readonly ScheduledPeak[];
  readonly workloads: readonly Workload[];
  readonly prices?: RegionPrices;
}

/** What `TableCapacity.forWorkload` was given. */
export interface WorkloadCapacity {
  readonly mode: 'forWorkload';
  readonly headroom: number;
  readonly scheduledPeaks: readonly ScheduledWorkloadPeak[];
  readonly workloads: readonly Workload[];
  readonly prices?: RegionPrices;
}

export type CapacitySettings = OnDemandCapacity | ProvisionedCapacity | WorkloadCapacity;
