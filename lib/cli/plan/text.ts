import { Help } from 'commander';
import { limitsOf, type WorkloadPlan } from '../../capacity/index.ts';
import { textTable } from '../../charts/text-table.ts';
import type { Line } from '../command.ts';
import { comparisonNotes, comparisonTable } from './comparison.ts';
import { formatBytes, formatPercent, formatWhole } from './format.ts';
import { limitNotes, limitsTable } from './limits.ts';
import { formsTable, outboxForms, recommendation } from './outbox-form.ts';
import type { PlannedWorkload } from './planned-workload.ts';
import { type DataTable, planTables } from './tables.ts';
import { unitBars } from './unit-bar.ts';

const WIDTH = 80;

/** A plan for people, at most 80 characters wide. */
export function textOfPlan(
  { workload, plan, prices, comparison }: PlannedWorkload,
  colored: boolean,
): Line[] {
  const [steps, ...others] = planTables(plan);
  const forms = outboxForms(workload, prices);
  const limits = limitsOf(workload);
  return [
    ...tableText(steps),
    '',
    'Where its units go',
    ...unitBars(plan.message, colored).map((line) => (colored ? { own: `  ${line}` } : `  ${line}`)),
    '',
    ...others.flatMap((table) => [...tableText(table), '']),
    ...planNotes(plan).flatMap(wrapped),
    '',
    ...tableText(limitsTable(limits)),
    ...limitNotes(limits).flatMap(wrapped),
    ...(forms ? ['', ...tableText(formsTable(forms)), ...wrapped(recommendation(forms))] : []),
    ...(comparison
      ? ['', ...tableText(comparisonTable(comparison)), ...comparisonNotes(comparison).flatMap(wrapped)]
      : []),
  ];
}

/** What no table has. */
export function planNotes({
  outbox,
  queueRequests,
  breakEvenUtilizationPercent,
  prices,
}: WorkloadPlan): string[] {
  return [
    `Queue requests a month: ${formatWhole(queueRequests)}.`,
    ...(outbox.records > 0
      ? [`The outbox keeps ${formatWhole(outbox.records)} records, ${formatBytes(outbox.bytes)}.`]
      : []),
    `Provisioned capacity is cheaper from a utilisation of ${formatPercent(breakEvenUtilizationPercent)} on.`,
    `Prices of ${prices.region}, as of ${prices.asOf}: ${prices.source}.`,
    ...(prices.estimatedQueuePrice
      ? ['The price of queue requests is an estimate, that of most regions: give your own with --prices.']
      : []),
  ];
}

/** The caption, and the table below it. */
export function tableText({ caption, head, rows, leftColumns = 1 }: DataTable): string[] {
  const alignments = Array.from({ length: leftColumns }, () => 'left' as const);
  return [caption, ...textTable([head, ...rows], alignments).map((line) => `  ${line}`)];
}

/** The name of one plan among several. */
export function planHeading(name: string): string[] {
  return [name, '='.repeat(Math.min(WIDTH, name.length)), ''];
}

export function wrapped(prose: string): string[] {
  return new Help().boxWrap(prose, WIDTH).split('\n');
}
