import { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { isKnown } from '../is-known.ts';
import type { Violations } from '../violations.ts';
import type { AlarmRow } from './alarm-row.ts';
import type { AlarmSettings, AlarmSeverity } from './alarm-settings.ts';

/** Above every count and duration that an alarm of ours compares with. */
const MAX_THRESHOLD = 1_000_000_000;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

export interface ResolvedAlarm {
  readonly threshold: number;
  readonly period: Duration;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly minSamples: number;
  readonly severity: AlarmSeverity;
  readonly treatMissingData: TreatMissingData;
}

/**
 * The settings of an alarm, its defaults filled in; a value that is out of range is reported, and its default
 * is used.
 *
 * @param setting where the settings stand, as in 'alarms.deadLetters'
 */
export function resolveAlarm<Watched>(
  setting: string,
  row: AlarmRow<Watched>,
  watched: Watched,
  given: AlarmSettings,
  violations: Violations,
): ResolvedAlarm {
  return {
    threshold: resolveThreshold(setting, row, watched, given, violations),
    ...resolveRange(setting, row, watched, given, violations),
    minSamples: resolveMinSamples(setting, row, given, violations),
    severity: given.severity ?? row.severity,
    treatMissingData: given.treatMissingData ?? row.treatMissingData ?? TreatMissingData.NOT_BREACHING,
  };
}

function resolveThreshold<Watched>(
  setting: string,
  { threshold, maxThreshold, unit }: AlarmRow<Watched>,
  watched: Watched,
  given: AlarmSettings,
  violations: Violations,
): number {
  const highest = typeof maxThreshold === 'function' ? maxThreshold(watched) : maxThreshold;
  const max = highest ?? MAX_THRESHOLD;
  // At 0 it would always be raised: each alarm is raised at its threshold.
  const bounds = { min: unit === '%' ? 0.1 : 1, max, fractions: true };
  const byDefault = threshold > max ? max / 2 : threshold;
  return violations.inRange(`${setting}.threshold`, given.threshold, bounds, undefined) ?? byDefault;
}

function resolveMinSamples<Watched>(
  setting: string,
  { minMetricSamplesToAlarm: byDefault }: AlarmRow<Watched>,
  { minMetricSamplesToAlarm: given }: AlarmSettings,
  violations: Violations,
): number {
  const name = `${setting}.minMetricSamplesToAlarm`;
  if (byDefault !== undefined)
    return violations.inRange(name, given, { min: 1, max: MAX_THRESHOLD }, undefined) ?? byDefault;
  if (given !== undefined) violations.add(name, 'the alarm is on no rate', 'Leave it out');
  return 0;
}

type Range = Pick<ResolvedAlarm, 'period' | 'evaluationPeriods' | 'datapointsToAlarm'>;

/**
 * Source: PutMetricAlarm in the API reference of CloudWatch: the periods of an alarm are together at most 7
 * days, and at most a day if one is shorter than an hour.
 */
function resolveRange<Watched>(
  setting: string,
  row: AlarmRow<Watched>,
  watched: Watched,
  given: AlarmSettings,
  violations: Violations,
): Range {
  const byDefault = {
    period: row.periodOf?.(watched) ?? Duration.minutes(row.periodMinutes),
    evaluationPeriods: row.evaluationPeriods,
    datapointsToAlarm: row.datapointsToAlarm,
  };
  const period = wholeMinutes(`${setting}.period`, given.period, violations) ?? byDefault.period;
  const periodSeconds = period.toSeconds();
  const daysOfRange = periodSeconds < HOUR_SECONDS ? 1 : 7;
  const max = Math.floor((daysOfRange * DAY_SECONDS) / periodSeconds);
  if (max < 1) {
    const problem = `${periodSeconds} s is longer than the 7 days that an alarm can look at`;
    violations.add(`${setting}.period`, problem, 'Use a shorter one');
    return byDefault;
  }
  const inRange = (name: keyof Range & keyof AlarmSettings, value: number | undefined, most: number) =>
    violations.inRange(`${setting}.${name}`, value, { min: 1, max: most }, undefined);
  const evaluationPeriods = inRange('evaluationPeriods', given.evaluationPeriods, max);
  if (evaluationPeriods === undefined && byDefault.evaluationPeriods > max) {
    const problem = `${byDefault.evaluationPeriods} evaluationPeriods of ${periodSeconds} s are longer than an alarm can look at`;
    violations.add(`${setting}.period`, problem, `Set evaluationPeriods to ${max} or less`);
    return byDefault;
  }
  const periods = evaluationPeriods ?? byDefault.evaluationPeriods;
  const most = isKnown(periods) ? periods : max;
  const datapointsToAlarm =
    inRange('datapointsToAlarm', given.datapointsToAlarm, most) ??
    Math.min(byDefault.datapointsToAlarm, most);
  return { period, evaluationPeriods: periods, datapointsToAlarm };
}

/** The metrics that are watched have one value a minute: shorter periods cost more and show no more. */
function wholeMinutes(
  setting: string,
  period: Duration | undefined,
  violations: Violations,
): Duration | undefined {
  if (period === undefined) return undefined;
  const milliseconds = period.isUnresolved() ? undefined : period.toMilliseconds();
  if (milliseconds !== undefined && milliseconds > 0 && milliseconds % 60_000 === 0) return period;
  const problem =
    milliseconds === undefined
      ? 'it is known only at deployment'
      : `${milliseconds / 1000} s is out of range`;
  violations.add(setting, problem, 'Use whole minutes, from 1');
  return undefined;
}
