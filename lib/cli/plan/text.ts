import type { TablePlan, WorkloadPlan } from '../../capacity/index.ts';
import { printable } from '../../charts/markup.ts';
import { textTable } from '../../charts/text-table.ts';
import { wrapped } from '../wrapped.ts';
import { formatBytes, formatDollars, formatPercent, formatUnits, formatWhole } from './format.ts';
import { type Color, type Paint, withoutColors } from './paint.ts';
import { stepSeries, unitsBySeries } from './steps.ts';
import { tablesOf, totalCosts } from './tables.ts';
import { unitBar } from './unit-bar.ts';

const looks: readonly { readonly character: string; readonly color: Color }[] = [
  { character: '.', color: 'cyan' },
  { character: '-', color: 'yellow' },
  { character: '#', color: 'green' },
  { character: '=', color: 'magenta' },
  { character: '+', color: 'blue' },
];

const BAR_WIDTH = 58;

/** A plan for people, at most 80 characters wide. */
export function planText(plan: WorkloadPlan, paint: Paint = withoutColors): string[] {
  return [
    'One new message',
    ...indented(stepTable(plan)),
    '',
    'Where its units go',
    ...indented(unitBars(plan, paint)),
    '',
    'On average, with duplicates and conflicts',
    ...indented(averageTable(plan)),
    '',
    'Units a second',
    ...indented(secondTable(plan)),
    '',
    'Provisioned capacity, units',
    ...indented(provisionedTable(plan)),
    '',
    'A month on-demand, request units',
    ...indented(requestTable(plan)),
    '',
    'A month, US dollars',
    ...indented(monthTable(plan)),
    '',
    ...sentences(plan),
  ];
}

/** The name of one plan among several. */
export function planHeading(name: string): string[] {
  const heading = printable(name);
  return [heading, '='.repeat(Math.min(80, heading.length)), ''];
}

function stepTable({ message }: WorkloadPlan): string[] {
  const { steps, newMessage } = message;
  return textTable(
    [
      ['step', 'operation', 'table', 'calls', 'items', 'RCU', 'WCU'],
      ...steps.map(({ step, operation, table, calls, items, rcu, wcu }) => [
        step,
        operation,
        table ?? '',
        ...[calls, items, rcu, wcu].map(formatUnits),
      ]),
      [
        'total',
        '',
        '',
        formatUnits(newMessage.calls),
        '',
        formatUnits(newMessage.rcu),
        formatUnits(newMessage.wcu),
      ],
    ],
    ['left', 'left', 'left'],
  );
}

function unitBars({ message }: WorkloadPlan, paint: Paint): string[] {
  const [rcu, wcu] = [unitsBySeries(message, 'rcu'), unitsBySeries(message, 'wcu')];
  const { newMessage } = message;
  const whole = Math.max(newMessage.rcu, newMessage.wcu);
  const parts = (values: readonly number[]) =>
    stepSeries.map((label, index) => {
      const { character, color } = lookOf(index);
      return { label, character, value: values[index] ?? 0, paint: (text: string) => paint(color, text) };
    });
  const legend = stepSeries.flatMap((label, index) => {
    const { character, color } = lookOf(index);
    const isThere = (rcu[index] ?? 0) > 0 || (wcu[index] ?? 0) > 0;
    return isThere ? [`${paint(color, character)} ${label}`] : [];
  });
  const width = Math.max(formatUnits(newMessage.rcu).length, formatUnits(newMessage.wcu).length);
  return [
    `RCU ${formatUnits(newMessage.rcu).padStart(width)} ${unitBar(parts(rcu), BAR_WIDTH, whole)}`,
    `WCU ${formatUnits(newMessage.wcu).padStart(width)} ${unitBar(parts(wcu), BAR_WIDTH, whole)}`,
    ...(legend.length === 0 ? [] : [legend.join('   ')]),
  ];
}

function lookOf(index: number) {
  return looks[index] ?? { character: '*', color: 'cyan' as const };
}

function averageTable({ message }: WorkloadPlan): string[] {
  return textTable([
    ['', 'calls', 'RCU', 'WCU'],
    ...(
      [
        ['a delivery', message.perMessage],
        ['a duplicate', message.duplicate],
      ] as const
    ).map(([name, { calls, rcu, wcu }]) => [name, ...[calls, rcu, wcu].map(formatUnits)]),
  ]);
}

function secondTable(plan: WorkloadPlan): string[] {
  return textTable([
    ['', 'average RCU', 'average WCU', 'peak RCU', 'peak WCU'],
    ...tablesOf(plan).map(([name, { average, peak }]) => [
      tableName(name),
      ...[average.rcu, average.wcu, peak.rcu, peak.wcu].map(formatUnits),
    ]),
  ]);
}

function provisionedTable(plan: WorkloadPlan): string[] {
  return textTable([
    ['', 'read min', 'read max', 'write min', 'write max', 'target'],
    ...tablesOf(plan).map(([name, { provisioned }]) => [tableName(name), ...provisionedCells(provisioned)]),
  ]);
}

function provisionedCells({ read, write, targetUtilizationPercent }: TablePlan['provisioned']): string[] {
  return [
    ...[read.minCapacity, read.maxCapacity, write.minCapacity, write.maxCapacity].map(formatWhole),
    formatPercent(targetUtilizationPercent),
  ];
}

function requestTable(plan: WorkloadPlan): string[] {
  return textTable([
    ['', 'read', 'write'],
    ...tablesOf(plan).map(([name, { onDemand }]) => [
      tableName(name),
      formatWhole(onDemand.rcu),
      formatWhole(onDemand.wcu),
    ]),
  ]);
}

function monthTable(plan: WorkloadPlan): string[] {
  const { onDemand, provisioned, storage, queue } = plan.monthlyCost;
  const totals = totalCosts(plan);
  return textTable([
    ['', 'on-demand', 'provisioned'],
    ['tables', formatDollars(onDemand), formatDollars(provisioned)],
    ['storage', formatDollars(storage), formatDollars(storage)],
    ['queue', formatDollars(queue), formatDollars(queue)],
    ['total', formatDollars(totals.onDemand), formatDollars(totals.provisioned)],
  ]);
}

function sentences(plan: WorkloadPlan): string[] {
  const { outbox, queueRequests, breakEvenUtilizationPercent, prices } = plan;
  return [
    `Queue requests a month: ${formatWhole(queueRequests)}.`,
    ...(outbox.records > 0
      ? [`The outbox keeps ${formatWhole(outbox.records)} records, ${formatBytes(outbox.bytes)}.`]
      : []),
    `Provisioned capacity is cheaper from a utilisation of ${formatPercent(breakEvenUtilizationPercent)} on.`,
    `Prices of ${prices.region}, as of ${prices.asOf}: ${prices.source}.`,
  ].flatMap((sentence) => wrapped(sentence, 80));
}

function tableName(name: string): string {
  return name === 'index' ? 'relay index' : `${name} table`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
