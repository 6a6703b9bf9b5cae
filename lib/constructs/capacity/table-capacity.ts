import { type AutoscaledCapacity, withTarget } from './autoscaled-capacity.ts';
import type {
  CapacitySettings,
  OnDemandCapacity,
  ProvisionedCapacity,
  WorkloadCapacity,
} from './capacity-settings.ts';
import { type IndexCapacity, indexLikeTable, plannedIndex } from './index-capacity.ts';
import { type TablePeak, tablePeak, type UnitRange } from './table-peak.ts';
import type { TableWorkloadPlan } from './table-plan.ts';
import { wholeUnits } from './whole-units.ts';

/** What a table is declared with, every unit known. */
export type TableCapacity = OnDemandTable | ProvisionedTable;

export interface OnDemandTable {
  readonly mode: 'onDemand';
  readonly maxReadUnits: number | undefined;
  readonly maxWriteUnits: number | undefined;
}

export interface ProvisionedTable {
  readonly mode: 'provisioned';
  readonly read: Required<AutoscaledCapacity>;
  readonly write: Required<AutoscaledCapacity>;
  readonly peaks: readonly TablePeak[];
  /** Of the relay index, for a table that has it. */
  readonly index: IndexCapacity;
}

/** @param plan of a table that is to be provisioned for a workload */
export function tableCapacity(
  settings: CapacitySettings,
  plan: TableWorkloadPlan | undefined,
): TableCapacity {
  if (settings.mode === 'onDemand') return onDemandTable(settings);
  if (settings.mode === 'provisioned') return provisionedTable(settings);
  if (plan === undefined) throw new TypeError('A table for a workload has a plan');
  return plannedTable(settings, plan);
}

function onDemandTable({ maxReadUnits, maxWriteUnits }: OnDemandCapacity): OnDemandTable {
  return { mode: 'onDemand', maxReadUnits, maxWriteUnits };
}

function provisionedTable(settings: ProvisionedCapacity): ProvisionedTable {
  const read = withTarget(settings.read);
  const write = withTarget(settings.write);
  const peaks = settings.scheduledPeaks.map((peak, index) => tablePeak(peak, index, read, write));
  return { mode: 'provisioned', read, write, peaks, index: indexLikeTable(write, peaks) };
}

function plannedTable(
  { headroom, scheduledPeaks }: WorkloadCapacity,
  plan: TableWorkloadPlan,
): ProvisionedTable {
  const { provisioned } = plan;
  const { targetUtilizationPercent } = provisioned;
  const withHeadroom = ({ minUnits, maxUnits }: UnitRange) => ({
    minUnits,
    maxUnits: wholeUnits(maxUnits * headroom),
    targetUtilizationPercent,
  });
  const read = withHeadroom(provisioned.read);
  const write = withHeadroom(provisioned.write);
  const planned = {
    read: { minUnits: provisioned.read.maxUnits },
    write: { minUnits: provisioned.write.maxUnits },
  };
  const peaks = scheduledPeaks.map((peak, index) => tablePeak({ ...planned, ...peak }, index, read, write));
  const index = plannedIndex(plan, scheduledPeaks, withHeadroom) ?? indexLikeTable(write, peaks);
  return { mode: 'provisioned', read, write, peaks, index };
}
