import { type Markup, markup } from '../../charts/markup.ts';
import { formatDuration } from '../option-values.ts';
import { comparisonNotes, comparisonRows } from './comparison.ts';
import { formatBytes, formatDollars, formatPercent, formatUnits, formatWhole } from './format.ts';
import { type DataTable, planCharts } from './plan-charts.ts';
import type { PlannedWorkload } from './result.ts';
import { tablesOf, totalCosts } from './tables.ts';

const style = `
:root { color-scheme: light dark; --surface: #fff; --ink: #1b1f24; --muted: #57606a; --grid: #d8dee4; }
@media (prefers-color-scheme: dark) {
  :root { --surface: #14181d; --ink: #e6edf3; --muted: #9aa4af; --grid: #333b44; }
}
body { margin: 0 auto; padding: 1.5rem; max-width: 80rem; background: var(--surface); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
.figure { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; margin: 1.5rem 0; }
.drawing { overflow-x: auto; max-width: 100%; } .drawing svg { display: block; max-width: none; }
.table { overflow: auto; max-height: 24rem; max-width: 100%; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--grid); text-align: right; }
th[scope=row], thead th:first-child { text-align: left; font-weight: 500; }
.note { color: var(--muted); }
`;

/** Nothing on the page comes from elsewhere, and nothing on it runs. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** The plan as one page that needs no other file. */
export function planPage({ workload, plan, comparison }: PlannedWorkload): string {
  const { prices } = plan;
  const charts = planCharts(workload, plan).map(({ chart, table }) =>
    figure(markup`<div class="drawing">${chart}</div>`, dataTable(table)),
  );
  const compared = comparison && [
    figure(dataTable(comparisonTable(comparison))),
    ...comparisonNotes(comparison).map((note) => markup`<p class="note">${note}</p>`),
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
<section>
<h2>The workload</h2>
${figure(dataTable(givenTable(workload)), dataTable(summaryTable(plan)))}
${figure(dataTable(stepsTable(plan)), dataTable(capacityTable(plan)))}
${compared ?? []}
${charts}
<p class="note">Prices of ${prices.region}, as of ${prices.asOf}: ${prices.source}. \
Whole units are provisioned: a small table costs a little more than its line.</p>
</section>
</main></body>
</html>
`.markup;
}

function figure(...parts: readonly Markup[]): Markup {
  return markup`<div class="figure">${parts}</div>`;
}

/** The figures of a chart, or what no chart shows. It can be scrolled by keys when it is long. */
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

function givenTable(workload: PlannedWorkload['workload']): DataTable {
  const { message, ...others } = workload;
  return {
    caption: 'What is planned for',
    head: ['', 'given'],
    rows: [
      ...Object.entries(others),
      ...Object.entries(message).map(([key, value]) => [`message.${key}`, value]),
    ].map(([key, value]) => [String(key), typeof value === 'object' ? formatDuration(value) : String(value)]),
  };
}

function summaryTable(plan: PlannedWorkload['plan']): DataTable {
  const { onDemand, provisioned } = totalCosts(plan);
  return {
    caption: 'In short',
    head: ['', 'planned'],
    rows: [
      ['RCU of a delivery, on average', formatUnits(plan.perMessage.rcu)],
      ['WCU of a delivery, on average', formatUnits(plan.perMessage.wcu)],
      ['a month, on-demand', formatDollars(onDemand)],
      ['a month, provisioned', formatDollars(provisioned)],
      ['provisioned is cheaper from', formatPercent(plan.breakEvenUtilizationPercent)],
      ['outbox records kept', formatWhole(plan.outbox.records)],
      ['outbox size', formatBytes(plan.outbox.bytes)],
      ['queue requests a month', formatWhole(plan.queueRequests)],
    ],
  };
}

function stepsTable({ message }: PlannedWorkload['plan']): DataTable {
  return {
    caption: 'One new message',
    head: ['step', 'operation', 'calls', 'items', 'RCU', 'WCU'],
    rows: message.steps.map(({ step, operation, calls, items, rcu, wcu }) => [
      step,
      operation,
      ...[calls, items, rcu, wcu].map(formatUnits),
    ]),
  };
}

function capacityTable(plan: PlannedWorkload['plan']): DataTable {
  return {
    caption: 'Units a second',
    head: ['table', '', 'average', 'peak', 'provisioned min', 'provisioned max'],
    rows: tablesOf(plan).flatMap(([name, { average, peak, provisioned }]) =>
      (
        [
          ['read', average.rcu, peak.rcu, provisioned.read],
          ['write', average.wcu, peak.wcu, provisioned.write],
        ] as const
      ).map(([kind, averageUnits, peakUnits, { minCapacity, maxCapacity }]) => [
        name,
        kind,
        formatUnits(averageUnits),
        formatUnits(peakUnits),
        formatWhole(minCapacity),
        formatWhole(maxCapacity),
      ]),
    ),
  };
}

function comparisonTable(comparison: NonNullable<PlannedWorkload['comparison']>): DataTable {
  const [layouts = [], ...rows] = comparisonRows(comparison);
  return { caption: 'Compared', head: ['', ...layouts.slice(1)], rows };
}
