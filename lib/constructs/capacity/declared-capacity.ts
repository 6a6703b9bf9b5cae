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
export type DeclaredCapacity = OnDemandTable | ProvisionedTable;

export interface OnDemandTable {
  readonly mode: 'onDemand';
  readonly maxReadRequestUnits: number | undefined;
  readonly maxWriteRequestUnits: number | undefined;
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
export function declaredCapacity(
  settings: CapacitySettings,
  plan: TableWorkloadPlan | undefined,
): DeclaredCapacity {
  if (settings.mode === 'onDemand') return onDemandTable(settings);
  if (settings.mode === 'provisioned') return provisionedTable(settings);
  if (plan === undefined) throw new TypeError('A table for a workload has a plan');
  return plannedTable(settings, plan);
}

function onDemandTable({ maxReadRequestUnits, maxWriteRequestUnits }: OnDemandCapacity): OnDemandTable {
  return { mode: 'onDemand', maxReadRequestUnits, maxWriteRequestUnits };
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
  const withHeadroom = ({ minCapacity, maxCapacity }: UnitRange) => ({
    minCapacity,
    maxCapacity: wholeUnits(maxCapacity * headroom),
    targetUtilizationPercent,
  });
  const read = withHeadroom(provisioned.read);
  const write = withHeadroom(provisioned.write);
  const planned = {
    read: { minCapacity: provisioned.read.maxCapacity },
    write: { minCapacity: provisioned.write.maxCapacity },
  };
  const peaks = scheduledPeaks.map((peak, index) => tablePeak({ ...planned, ...peak }, index, read, write));
  const index = plannedIndex(plan, scheduledPeaks, withHeadroom) ?? indexLikeTable(write, peaks);
  return { mode: 'provisioned', read, write, peaks, index };
}
