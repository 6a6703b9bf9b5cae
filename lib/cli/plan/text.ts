import type { MessagePlan, WorkloadPlan } from '../../capacity/index.ts';
import type { CapacityUnitsPlan } from '../../capacity/message-shape.ts';
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
  const { message } = plan;
  const capacities = tablesOf(plan).map(
    ([name, capacity]) => [name === 'index' ? 'relay index' : `${name} table`, capacity] as const,
  );
  return [
    ...section('One new message', stepTable(message)),
    ...section('Where its units go', unitBars(message, paint)),
    ...section('On average, with duplicates and conflicts', [
      ['', 'calls', 'RCU', 'WCU'],
      ['a delivery', formatUnits(message.perMessage.calls), ...unitCells(message.perMessage)],
      ['a duplicate', formatUnits(message.duplicate.calls), ...unitCells(message.duplicate)],
    ]),
    ...section('Units a second', [
      ['', 'average RCU', 'average WCU', 'peak RCU', 'peak WCU'],
      ...capacities.map(([name, { average, peak }]) => [name, ...unitCells(average), ...unitCells(peak)]),
    ]),
    ...section('Provisioned capacity, units', [
      ['', 'read min', 'read max', 'write min', 'write max', 'target'],
      ...capacities.map(
        ([
          name,
          {
            provisioned: { read, write, targetUtilizationPercent },
          },
        ]) => [
          name,
          ...[read.minCapacity, read.maxCapacity, write.minCapacity, write.maxCapacity].map(formatWhole),
          formatPercent(targetUtilizationPercent),
        ],
      ),
    ]),
    ...section('A month on-demand, request units', [
      ['', 'read', 'write'],
      ...capacities.map(
        ([
          name,
          {
            onDemand: { rcu, wcu },
          },
        ]) => [name, formatWhole(rcu), formatWhole(wcu)],
      ),
    ]),
    ...section('A month, US dollars', monthRows(plan)),
    ...sentences(plan).flatMap((sentence) => wrapped(sentence, 80)),
  ];
}

/** A title, a table or other lines below it, and an empty line. */
export function section(title: string, content: readonly string[] | readonly string[][]): string[] {
  const isTable = (rows: typeof content): rows is readonly string[][] => Array.isArray(rows[0]);
  const lines = isTable(content) ? textTable(content) : content;
  return [title, ...lines.map((line) => `  ${line}`), ''];
}

/** The name of one plan among several. */
export function planHeading(name: string): string[] {
  const heading = printable(name);
  return [heading, '='.repeat(Math.min(80, heading.length)), ''];
}

export function unitCells({ rcu, wcu }: CapacityUnitsPlan): string[] {
  return [formatUnits(rcu), formatUnits(wcu)];
}

function stepTable({ steps, newMessage }: MessagePlan): string[] {
  return textTable(
    [
      ['step', 'operation', 'table', 'calls', 'items', 'RCU', 'WCU'],
      ...steps.map(({ step, operation, table = '', calls, items, ...units }) => [
        ...[step, operation, table, formatUnits(calls), formatUnits(items)],
        ...unitCells(units),
      ]),
      ['total', '', '', formatUnits(newMessage.calls), '', ...unitCells(newMessage)],
    ],
    ['left', 'left', 'left'],
  );
}

function unitBars(message: MessagePlan, paint: Paint): string[] {
  const series = { rcu: unitsBySeries(message, 'rcu'), wcu: unitsBySeries(message, 'wcu') };
  const { newMessage } = message;
  const width = Math.max(...unitCells(newMessage).map((cell) => cell.length));
  const bar = (unit: 'rcu' | 'wcu') => {
    const parts = stepSeries.map((label, index) => {
      const { character, color } = lookOf(index);
      return {
        label,
        character,
        value: series[unit][index] ?? 0,
        paint: (part: string) => paint(color, part),
      };
    });
    const whole = Math.max(newMessage.rcu, newMessage.wcu);
    const sum = formatUnits(newMessage[unit]).padStart(width);
    return `${unit.toUpperCase()} ${sum} ${unitBar(parts, BAR_WIDTH, whole)}`;
  };
  const legend = stepSeries.flatMap((label, index) => {
    const { character, color } = lookOf(index);
    const isUsed = [series.rcu, series.wcu].some((units) => (units[index] ?? 0) > 0);
    return isUsed ? [`${paint(color, character)} ${label}`] : [];
  });
  return [bar('rcu'), bar('wcu'), ...(legend.length === 0 ? [] : [legend.join('   ')])];
}

function lookOf(index: number) {
  return looks[index] ?? { character: '*', color: 'cyan' as const };
}

function monthRows(plan: WorkloadPlan): string[][] {
  const { onDemand, provisioned, storage, queue } = plan.monthlyCost;
  const totals = totalCosts(plan);
  const row = (name: string, ...costs: number[]) => [name, ...costs.map(formatDollars)];
  return [
    ['', 'on-demand', 'provisioned'],
    row('tables', onDemand, provisioned),
    row('storage', storage, storage),
    row('queue', queue, queue),
    row('total', totals.onDemand, totals.provisioned),
  ];
}

function sentences({ outbox, queueRequests, breakEvenUtilizationPercent, prices }: WorkloadPlan): string[] {
  return [
    `Queue requests a month: ${formatWhole(queueRequests)}.`,
    ...(outbox.records > 0
      ? [`The outbox keeps ${formatWhole(outbox.records)} records, ${formatBytes(outbox.bytes)}.`]
      : []),
    `Provisioned capacity is cheaper from a utilisation of ${formatPercent(breakEvenUtilizationPercent)} on.`,
    `Prices of ${prices.region}, as of ${prices.asOf}: ${prices.source}.`,
  ];
}
