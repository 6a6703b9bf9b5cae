import type { Duration } from 'aws-cdk-lib';
import type { IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmSeverity } from './alarm-settings.ts';

export interface MetricSettings {
  readonly period: Duration;
  /** Of a rate. */
  readonly minSamples: number;
}

/** An alarm as data. It is raised when `datapointsToAlarm` of the `evaluationPeriods` reach the threshold. */
export interface AlarmRow<Watched> {
  /** The construct's id. */
  readonly id: string;
  /** @returns `undefined` if there is nothing to watch */
  readonly metric: (watched: Watched, settings: MetricSettings) => IMetric | undefined;
  readonly threshold: number;
  /** As in "60 s", in the guide. */
  readonly unit: string;
  /**
   * Above which the alarm could never be raised; a default above it is halved from it.
   *
   * @default - 1,000,000,000
   */
  readonly maxThreshold?: number | ((watched: Watched) => number | undefined);
  /**
   * The value that a threshold in percent is a share of.
   *
   * @default - the threshold is a value of the metric
   * @returns `undefined` if it is not known, and there is no alarm
   */
  readonly hundredPercent?: (watched: Watched, period: Duration) => number | undefined;
  readonly periodMinutes: number;
  /**
   * The period for what is watched, in place of `periodMinutes`.
   *
   * @returns `undefined` if it is not known
   */
  readonly periodOf?: (watched: Watched) => Duration | undefined;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  /** Of a rate. */
  readonly minMetricSamplesToAlarm?: number;
  /** @default TreatMissingData.NOT_BREACHING */
  readonly treatMissingData?: TreatMissingData;
  readonly severity: AlarmSeverity;
  /** What happened and what to do. */
  readonly description: string;
  /** The heading of the section of docs/guide/operations.md, below "What to do". */
  readonly runbook: string;
  /** What the alarm is left out without, as in "a relay". */
  readonly needs?: string;
}

export type AlarmRows<Watched, Name extends string = string> = Readonly<Record<Name, AlarmRow<Watched>>>;
