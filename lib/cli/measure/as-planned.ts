import type { StepFigures } from '../../capacity/measured/comparison.ts';
import { formatFigure } from '../../capacity/measured/format-report.ts';
import type { MeasureResult } from './run.ts';

const units = [
  ['rcu', 'RCU'],
  ['wcu', 'WCU'],
] as const;

/** Measured minus planned units; percentages are `undefined` if none were planned. */
export function plannedToMeasured(planned: StepFigures, measured: StepFigures) {
  const [rcu, wcu] = [measured.rcu - planned.rcu, measured.wcu - planned.wcu];
  const percent = (difference: number, of: number) => (of === 0 ? undefined : (difference / of) * 100);
  return { rcu, wcu, rcuPercent: percent(rcu, planned.rcu), wcuPercent: percent(wcu, planned.wcu) };
}

/** The plan of the shape as given, averaged over the messages, and why a run consumes something else. */
export function plannedLine(result: MeasureResult): string {
  const { planned, report } = result;
  const { measured, messages } = report;
  const averages = (of: StepFigures, which: readonly (typeof units)[number][]) =>
    which.map(([unit, name]) => `${formatFigure(of[unit] / messages)} ${name}`).join(' and ');
  const differing = units.filter(([unit]) => Math.abs(planned[unit] - measured[unit]) >= 1e-9);
  if (differing.length === 0) return `As planned: ${averages(planned, units)}; measured the same.`;
  const differences = differing.map(([unit, name]) => {
    const difference = differenceOf(planned[unit], measured[unit]);
    return differing.length === 1 ? difference : `${difference} ${name}`;
  });
  const both = `${averages(planned, differing)}; measured ${averages(measured, differing)}`;
  return `As planned: ${both}: ${differences.join(' and ')}${reasonOf(result)}.`;
}

/** As an option takes it: nothing that is stored is counted as larger than it is uncompressed. */
export function formatRatio(ratio: number): string {
  return Math.min(1, ratio).toFixed(2);
}

function differenceOf(planned: number, measured: number): string {
  const how = measured < planned ? 'less' : 'more';
  return planned === 0 ? how : `${Math.round((Math.abs(measured - planned) / planned) * 100)} % ${how}`;
}

/** Where the steps are those of the stored ratio, that ratio is the reason. */
function reasonOf({ report, shape, compressionRatio }: MeasureResult): string {
  if (!report.isEqual || compressionRatio === undefined) return '';
  const stored = formatRatio(compressionRatio);
  if (stored === formatRatio(shape.compressionRatio)) return '';
  return `, because the messages compress to ${stored}: pass --compression-ratio ${stored}`;
}
