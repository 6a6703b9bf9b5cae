import type { TimeZone } from 'aws-cdk-lib';
import type { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { aNumber, aString, kind, listOf } from '../../kernel/checks/checks.ts';
import { defined } from '../../kernel/defined.ts';
import { withProps } from '../checks/prop-checks.ts';
import { hasMembers } from '../checks/prop-kinds.ts';
import { isKnown } from '../is-known.ts';
import type { PropProblems } from '../violations.ts';
import { checkedRange, type UnitRange } from './autoscaled-capacity.ts';

/** Between which units a table scales during a peak. */
export interface PeakUnits {
  /** Capacity units per second that are there from the start of the peak on; at least 1. */
  readonly minCapacity: number;
  /**
   * Capacity units per second that are not exceeded during the peak.
   *
   * @default - the `maxCapacity` outside of the peak, or the peak's `minCapacity` when these are more
   */
  readonly maxCapacity?: number;
}

/**
 * When a known peak is. Peaks must not overlap: the end of one sets the units back that hold outside of
 * peaks.
 */
export interface PeakTimes {
  /**
   * A name for the scheduled actions, which are called `<name>Start` and `<name>End`.
   *
   * @default - 'Peak1', 'Peak2' and so on
   */
  readonly name?: string;
  /** When it starts: `Schedule.cron` or `Schedule.at`; some minutes early, since scaling takes them. */
  readonly start: Schedule;
  /** When it ends: the units are again what they are outside of peaks. */
  readonly end: Schedule;
  /** @default TimeZone.ETC_UTC */
  readonly timeZone?: TimeZone;
}

/** A peak of known times and units. What is left out scales as it does outside of the peak. */
export type ScheduledPeak = PeakTimes &
  (
    | { readonly read: PeakUnits; readonly write?: PeakUnits }
    | { readonly read?: PeakUnits; readonly write: PeakUnits }
  );

/** The peak of a workload: its units are known from `peakMessagesPerSecond`. */
export interface ScheduledWorkloadPeak extends PeakTimes {
  /** @default - what the plan's peak needs at the target utilization, up to the table's maximum */
  readonly read?: PeakUnits;
  /** @default - what the plan's peak needs at the target utilization, up to the table's maximum */
  readonly write?: PeakUnits;
}

const peakUnits = withProps<PeakUnits>(
  { minCapacity: aNumber, maxCapacity: aNumber },
  { needs: ['minCapacity'] },
);
const aSchedule = kind(
  'a Schedule of aws-applicationautoscaling',
  (value) => hasMembers(value, 'expressionString'),
  "Use one such as Schedule.cron({ hour: '8' })",
);

export const scheduledPeaksCheck = listOf(
  withProps<ScheduledWorkloadPeak>(
    {
      name: aString,
      start: aSchedule,
      end: aSchedule,
      timeZone: kind('a TimeZone', (value) => hasMembers(value, 'timezoneName')),
      read: peakUnits,
      write: peakUnits,
    },
    { needs: ['start', 'end'] },
  ),
);

/** A scheduled peak with its name and with every unit that it sets. */
export interface TablePeak extends PeakTimes {
  readonly name: string;
  readonly read: UnitRange | undefined;
  readonly write: UnitRange | undefined;
}

/** Units that are out of range are reported, and replaced by units that a table takes. */
export function checkedPeaks<Peak extends ScheduledWorkloadPeak>(
  peaks: readonly Peak[],
  problems: PropProblems,
): readonly Peak[] {
  return peaks.map((peak, index) => {
    const checked = ({ minCapacity, maxCapacity }: PeakUnits, side: 'read' | 'write') => {
      const setting = `capacity.scheduledPeaks[${index}].${side}`;
      return defined(checkedRange(setting, { minCapacity, maxCapacity }, problems));
    };
    const { read, write } = peak;
    return {
      ...peak,
      ...(read && { read: checked(read, 'read') }),
      ...(write && { write: checked(write, 'write') }),
    };
  });
}

/** @param outside between which units the table scales outside of the peak */
export function tablePeak(
  peak: ScheduledWorkloadPeak,
  index: number,
  outside: Readonly<Record<'read' | 'write', UnitRange>>,
): TablePeak {
  return {
    ...peak,
    name: peak.name ?? `Peak${index + 1}`,
    read: peak.read && unitsOfPeak(peak.read, outside.read),
    write: peak.write && unitsOfPeak(peak.write, outside.write),
  };
}

function unitsOfPeak({ minCapacity, maxCapacity }: PeakUnits, outside: UnitRange): UnitRange {
  if (maxCapacity !== undefined) return { minCapacity, maxCapacity };
  const areKnown = isKnown(minCapacity) && isKnown(outside.maxCapacity);
  return {
    minCapacity,
    maxCapacity: areKnown ? Math.max(minCapacity, outside.maxCapacity) : outside.maxCapacity,
  };
}
