import type { TimeZone } from 'aws-cdk-lib';
import type { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { type AutoscaledCapacity, isKnown } from './autoscaled-capacity.ts';
import { type PeakUnits, peakName, type ScheduledWorkloadPeak } from './scheduled-peak.ts';

/** A scheduled peak, every unit known. */
export interface TablePeak {
  readonly name: string;
  readonly start: Schedule;
  readonly end: Schedule;
  readonly timeZone: TimeZone | undefined;
  readonly read: Required<PeakUnits> | undefined;
  readonly write: Required<PeakUnits> | undefined;
}

export type UnitRange = Pick<AutoscaledCapacity, 'minCapacity' | 'maxCapacity'>;

export function tablePeak(
  peak: ScheduledWorkloadPeak,
  index: number,
  read: UnitRange,
  write: UnitRange,
): TablePeak {
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

export function unitsOfPeak(
  { minCapacity, maxCapacity }: PeakUnits,
  outside: UnitRange,
): Required<PeakUnits> {
  return { minCapacity, maxCapacity: maxCapacity ?? larger(minCapacity, outside.maxCapacity) };
}

function larger(minCapacity: number, maxCapacity: number): number {
  return isKnown(minCapacity) && isKnown(maxCapacity) ? Math.max(minCapacity, maxCapacity) : maxCapacity;
}
