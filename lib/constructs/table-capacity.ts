import type { TimeZone } from 'aws-cdk-lib';
import type { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { type AutoscaledCapacity, isKnown, withTarget } from './autoscaled-capacity.ts';
import type {
  CapacitySettings,
  OnDemandCapacity,
  ProvisionedCapacity,
  WorkloadCapacity,
} from './capacity-settings.ts';
import { type PeakUnits, peakName, type ScheduledWorkloadPeak } from './scheduled-peak.ts';
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
}

export interface TablePeak {
  readonly name: string;
  readonly start: Schedule;
  readonly end: Schedule;
  readonly timeZone: TimeZone | undefined;
  readonly read: Required<PeakUnits> | undefined;
  readonly write: Required<PeakUnits> | undefined;
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
  return { mode: 'provisioned', read, write, peaks };
}

function plannedTable(
  { headroom, scheduledPeaks }: WorkloadCapacity,
  { provisioned }: TableWorkloadPlan,
): ProvisionedTable {
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
  return { mode: 'provisioned', read, write, peaks };
}

type UnitRange = Pick<AutoscaledCapacity, 'minUnits' | 'maxUnits'>;

function tablePeak(peak: ScheduledWorkloadPeak, index: number, read: UnitRange, write: UnitRange): TablePeak {
  const { start, end, timeZone } = peak;
  return {
    name: peakName(peak, index),
    start,
    end,
    timeZone,
    read: peak.read && unitsOfPeak(peak.read, read),
    write: peak.write && unitsOfPeak(peak.write, write),
  };
}

function unitsOfPeak({ minUnits, maxUnits }: PeakUnits, outside: UnitRange): Required<PeakUnits> {
  return { minUnits, maxUnits: maxUnits ?? larger(minUnits, outside.maxUnits) };
}

function larger(minUnits: number, maxUnits: number): number {
  return isKnown(minUnits) && isKnown(maxUnits) ? Math.max(minUnits, maxUnits) : maxUnits;
}
