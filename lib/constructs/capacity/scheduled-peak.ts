import type { TimeZone } from 'aws-cdk-lib';
import type { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { assertMaximum, assertUnits } from './autoscaled-capacity.ts';

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

  /**
   * The time zone of the schedules.
   *
   * @default TimeZone.ETC_UTC
   */
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
  /** @default - what the plan's peak needs at the target utilisation, up to the table's maximum */
  readonly read?: PeakUnits;
  /** @default - what the plan's peak needs at the target utilisation, up to the table's maximum */
  readonly write?: PeakUnits;
}

export function assertScheduledPeaks(peaks: readonly ScheduledWorkloadPeak[]): void {
  for (const [index, { read, write }] of peaks.entries()) {
    assertPeakUnits(`capacity.scheduledPeaks[${index}].read`, read);
    assertPeakUnits(`capacity.scheduledPeaks[${index}].write`, write);
  }
}

export function peakName({ name }: PeakTimes, index: number): string {
  return name ?? `Peak${index + 1}`;
}

function assertPeakUnits(setting: string, units: PeakUnits | undefined): void {
  if (units === undefined) return;
  assertUnits(`${setting}.minCapacity`, units.minCapacity);
  if (units.maxCapacity !== undefined) assertMaximum(setting, units.minCapacity, units.maxCapacity);
}
