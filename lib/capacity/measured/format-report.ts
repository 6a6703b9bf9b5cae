import type { CapacityReport } from './capacity-report.ts';
import { type ComparedStep, figureHeadings, figureNames, type StepFigures } from './comparison.ts';

const narrowestColumn = 7;
const gap = '   ';

/**
 * The report for people, as `sagabox measure` prints it: predicted beside measured for each step, on average
 * of the messages, and every step that is not as predicted.
 *
 * @example
 * ```ts
 * import { CallRecorder, formatReport } from 'sagabox/capacity';
 *
 * const recorder = new CallRecorder();
 * // … deliver messages to a handler that the recorder watches
 * console.log(formatReport(recorder.report({ sagaBytes: 1_000, outgoing: 3, messageBytes: 500 })));
 * ```
 */
export function formatReport(report: CapacityReport): string {
  const verdict = report.differences.map((difference) => `Not as predicted, in all: ${difference}`);
  return [
    ...reportTable(report),
    '',
    ...refusalLines(report),
    ...report.doubts.map((doubt) => `Not certain: ${doubt}.`),
    ...(verdict.length === 0 ? ['Every step takes what was predicted.'] : verdict),
  ].join('\n');
}

/** Predicted | measured, for each step, and their sums: averages of the messages. */
export function reportTable(report: CapacityReport): string[] {
  const { steps, predicted, measured, messages } = report;
  const average = (value: number) => formatFigure(value / Math.max(1, messages));
  const nameWidth = Math.max('sum'.length, ...steps.map(({ step }) => step.length));
  const operationWidth = Math.max('call'.length, ...steps.map(({ operation }) => operation.length));
  const start = (name: string, operation: string) =>
    `${name.padEnd(nameWidth)}  ${operation.padEnd(operationWidth)}`;
  const all = [...steps.flatMap((step) => [step.predicted, step.measured]), predicted, measured];
  const numbers = all.flatMap((one) => figureNames.map((figure) => average(one[figure])));
  const columnWidth = Math.max(narrowestColumn, ...numbers.map(({ length }) => length + 2));
  const cells = (one: StepFigures) =>
    figureNames.map((figure) => average(one[figure]).padStart(columnWidth)).join('');
  const head = figureNames.map((figure) => figureHeadings[figure].padStart(columnWidth)).join('');
  const line = (name: string, operation: string, one: StepFigures, other: StepFigures, rest: string) =>
    `${start(name, operation)}${cells(one)}${gap}${cells(other)}${rest}`.trimEnd();
  const groups = ['predicted', 'measured'].map((name) => name.padStart(head.length));
  const refused = (wcu: number) => (report.refusedWcu > 0 ? average(wcu).padStart(refusedWidth) : '');
  const refusedHead = report.refusedWcu > 0 ? refusedHeading.padStart(refusedWidth) : '';
  return [
    `${start('', '')}${groups.join(gap)}`,
    `${start('step', 'call')}${head}${gap}${head}${refusedHead}`,
    ...steps.map((row) =>
      line(
        row.step,
        row.operation,
        row.predicted,
        row.measured,
        `${refused(row.refusedWcu)}${gap}${remark(row)}`,
      ),
    ),
    line('sum', '', predicted, measured, refused(report.refusedWcu)),
  ];
}

const refusedHeading = 'refused WCU';
const refusedWidth = refusedHeading.length + gap.length;

function remark({ isEqual: equal, step }: ComparedStep): string {
  if (step === 'other') return '(of the handler itself)';
  return equal ? '' : '<- differs';
}

export function formatFigure(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** What stands in the column of refused calls, where there are any. */
export function refusalLines({ refusedWcu }: Pick<CapacityReport, 'refusedWcu'>): string[] {
  if (refusedWcu === 0) return [];
  return ['refused WCU: what calls took that a condition refused, by the rules: no engine reports it.'];
}
