import { limitsOf } from '../../capacity/index.ts';
import { type Markup, markup } from '../../charts/markup.ts';
import { formatDuration } from '../option-values.ts';
import { comparisonNotes, comparisonTable } from './comparison.ts';
import { limitNotes, limitsTable } from './limits.ts';
import { formsTable, outboxForms, recommendation } from './outbox-form.ts';
import { planCharts } from './plan-charts.ts';
import type { PlannedWorkload } from './planned-workload.ts';
import { type DataTable, planTables } from './tables.ts';
import { planNotes } from './text.ts';

const style = `
:root { color-scheme: light dark; --surface: #fff; --ink: #1b1f24; --muted: #57606a; --grid: #d8dee4; }
@media (prefers-color-scheme: dark) {
  :root { --surface: #14181d; --ink: #e6edf3; --muted: #9aa4af; --grid: #333b44; }
}
body { margin: 0 auto; padding: 1.5rem; max-width: 80rem; background: var(--surface); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; }
.figure { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; margin: 1.5rem 0; }
.drawing { overflow-x: auto; max-width: 100%; } .drawing svg { display: block; max-width: none; }
.table { overflow: auto; max-height: 24rem; max-width: 100%; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--grid); text-align: right; }
th[scope=row], thead th:first-child { text-align: left; font-weight: 500; }
.note { color: var(--muted); }
`;

/** The page loads no other file, and runs no script. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** The plan as one page that needs no other file. */
export function planPage({ workload, plan, prices, comparison = [] }: PlannedWorkload): string {
  const forms = outboxForms(workload, prices);
  const byForm = forms ? [figure(dataTable(formsTable(forms))), noteOf(recommendation(forms))] : [];
  const tables = [givenTable(workload), ...planTables(plan)];
  const compared = comparison.length > 0 ? [figure(dataTable(comparisonTable(comparison)))] : [];
  const charts = planCharts(workload, plan).map(({ chart, table }) =>
    figure(markup`<div class="drawing">${chart}</div>`, dataTable(table)),
  );
  const limits = limitsOf(workload);
  const notes = [
    ...planNotes(plan),
    'Whole units are provisioned: a small table costs a little more than its line.',
  ];
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${policy}"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>sagabox plan</title>
<style>${{ markup: style }}</style>
</head>
<body><main>
<h1>Capacity plan</h1>
${figure(...tables.map(dataTable))}
${byForm}
${compared}
${comparisonNotes(comparison).map(noteOf)}
${figure(dataTable(limitsTable(limits)))}
${limitNotes(limits).map(noteOf)}
${charts}
${notes.map(noteOf)}
</main></body>
</html>
`.markup;
}

function figure(...parts: readonly Markup[]): Markup {
  return markup`<div class="figure">${parts}</div>`;
}

function noteOf(note: string): Markup {
  return markup`<p class="note">${note}</p>`;
}

/** It can be scrolled by keys when it is long. */
function dataTable({ caption, head, rows }: DataTable): Markup {
  const cells = (row: readonly string[]) => row.map((cell) => markup`<td>${cell}</td>`);
  return markup`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${head.map((cell) => markup`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map(([first = '', ...others]) => markup`<tr><th scope="row">${first}</th>${cells(others)}</tr>`)}
</tbody>
</table></div>`;
}

function givenTable({ message, scale = {}, ...others }: PlannedWorkload['workload']): DataTable {
  const ofMessage = Object.entries(message).map(([key, value]) => [`message.${key}`, value] as const);
  const ofScale = Object.entries(scale).map(([key, value]) => [`scale.${key}`, value] as const);
  return {
    caption: 'The workload',
    head: ['', 'given'],
    rows: [...Object.entries(others), ...ofMessage, ...ofScale].map(([key, value]) => [
      key,
      typeof value === 'object' ? formatDuration(value) : String(value),
    ]),
  };
}
