import type { StepFigures } from '../../capacity/index.ts';
import { formatFigure } from '../../capacity/measured/format-report.ts';
import type { MeasureResult } from './run.ts';

/** How far what was measured is from a plan: less is negative. */
export interface PlanDifference {
  readonly rcu: number;
  readonly wcu: number;
  /** Of the planned ones; nothing where none were planned. */
  readonly rcuPercent: number | undefined;
  readonly wcuPercent: number | undefined;
}

const units = [
  ['rcu', 'RCU'],
  ['wcu', 'WCU'],
] as const;

export function plannedToMeasured(planned: StepFigures, measured: StepFigures): PlanDifference {
  const percent = (unit: 'rcu' | 'wcu') =>
    planned[unit] === 0 ? undefined : ((measured[unit] - planned[unit]) / planned[unit]) * 100;
  return {
    rcu: measured.rcu - planned.rcu,
    wcu: measured.wcu - planned.wcu,
    rcuPercent: percent('rcu'),
    wcuPercent: percent('wcu'),
  };
}

/** The plan of the shape as it was given, on average of the messages, and why a run takes something else. */
export function plannedLines(
  result: Pick<MeasureResult, 'planned' | 'report' | 'shape' | 'compressionRatio'>,
) {
  const { planned, report } = result;
  const { measured, messages } = report;
  const averages = (of: StepFigures, which: readonly (typeof units)[number][]) =>
    which.map(([unit, name]) => `${formatFigure(of[unit] / messages)} ${name}`).join(' and ');
  const differing = units.filter(([unit]) => Math.abs(planned[unit] - measured[unit]) >= 1e-9);
  if (differing.length === 0) return [`As planned: ${averages(planned, units)}; measured the same.`];
  const told = differing
    .map(([unit, name]) => {
      const difference = differenceOf(planned[unit], measured[unit]);
      return differing.length === 1 ? difference : `${difference} ${name}`;
    })
    .join(' and ');
  return [
    `As planned: ${averages(planned, differing)}; measured ${averages(measured, differing)}: ${told}${reason(result)}.`,
  ];
}

/** As an option takes it: nothing that is stored is counted as larger than it is uncompressed. */
export function formatRatio(ratio: number): string {
  return Math.min(1, ratio).toFixed(2);
}

function differenceOf(planned: number, measured: number): string {
  const how = measured < planned ? 'less' : 'more';
  if (planned === 0) return how;
  return `${Math.round((Math.abs(measured - planned) / planned) * 100)} % ${how}`;
}

/** Where the steps are those of the ratio that was really stored, that ratio is the reason. */
function reason({
  report,
  shape,
  compressionRatio,
}: Pick<MeasureResult, 'report' | 'shape' | 'compressionRatio'>) {
  if (!report.isEqual || compressionRatio === undefined) return '';
  const met = formatRatio(compressionRatio);
  if (met === formatRatio(shape.compressionRatio)) return '';
  return `, because the messages compress to ${met}: pass --compression-ratio ${met}`;
}
