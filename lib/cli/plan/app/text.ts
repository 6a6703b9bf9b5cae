import type { PlannedStep } from '../../../capacity/message-shape.ts';
import { textTable } from '../../../charts/text-table.ts';
import { wrapped } from '../../wrapped.ts';
import { formatDollars, formatPercent, formatUnits, formatWhole } from '../format.ts';
import { planHeading, section, unitCells } from '../text.ts';
import type { DeployedCapacity, DeployedRanges } from './capacity.ts';
import type { AppTablePlan, PlannedTable } from './table.ts';
import { requestUnitsOf, type TablesTotal, totalOf } from './total.ts';

const kinds = [
  ['read', 'rcu'],
  ['write', 'wcu'],
] as const;

/** What is planned for one table, and how it is deployed; at most 80 characters wide, but for its name. */
export function tableText({ name, plan, deployed, workloads, steps }: PlannedTable): string[] {
  return [
    ...planHeading(name),
    ...wrapped(introductionOf(plan, workloads.length), 80),
    '',
    ...steps.flatMap((ofWorkload, index) => {
      const which = workloads.length === 1 ? '' : ` of workload ${index + 1}`;
      return section(`Steps of one new message${which}`, stepTable(ofWorkload));
    }),
    ...section('Units a second', secondRows(plan)),
    ...section('Provisioned capacity, units', provisionedRows(plan, deployed)),
    ...section('A month', monthRows({ ...plan, onDemand: requestUnitsOf(plan) })),
    ...wrapped(deployedSentence(deployed), 80),
  ];
}

/** All tables together, each once. */
export function totalText(tables: readonly PlannedTable[]): string[] {
  const total = totalOf(tables);
  const prices = tables.map(({ plan: { prices } }) => `Prices of ${prices.region}, as of ${prices.asOf}.`);
  const notes = [...new Set(prices), 'Storage and queues are not counted.'];
  return [
    ...planHeading(tables.length === 1 ? 'Total: 1 table' : `Total: ${tables.length} tables`),
    ...section('Units a second', [
      ['', 'average', 'peak', 'planned min', 'planned max'],
      ...kinds.map(([kind, unit]) => [
        ...[kind, formatUnits(total.average[unit]), formatUnits(total.peak[unit])],
        ...[total.provisioned[kind].minCapacity, total.provisioned[kind].maxCapacity].map(formatWhole),
      ]),
    ]),
    ...section('A month', monthRows(total)),
    ...wrapped(notes.join(' '), 80),
  ];
}

function introductionOf(plan: AppTablePlan, workloads: number): string {
  const kind = { shared: 'Table of sagas and outbox', saga: 'Saga table', outbox: 'Outbox table' }[
    plan.table
  ];
  const many = workloads === 1 ? 'a workload' : `${workloads} workloads`;
  return (
    `${kind} of ${many}: ${formatUnits(plan.messagesPerSecond)} messages/s, at peak ` +
    `${formatUnits(plan.peakMessagesPerSecond)}.`
  );
}

function stepTable(steps: readonly PlannedStep[]): string[] {
  const rows = steps.map(({ step, operation, calls, items, ...units }) => [
    ...[step, operation, formatUnits(calls), formatUnits(items)],
    ...unitCells(units),
  ]);
  return textTable([['step', 'operation', 'calls', 'items', 'RCU', 'WCU'], ...rows], ['left', 'left']);
}

function secondRows({ perMessage, average, peak, index, messagesPerSecond }: AppTablePlan): string[][] {
  const row = (name: string, ...units: number[]) => [name, ...units.map(formatUnits)];
  const ofIndex = index && [index.average.wcu / messagesPerSecond, index.average.wcu, index.peak.wcu];
  return [
    ['', 'a delivery', 'average', 'peak'],
    ...kinds.map(([kind, unit]) => row(kind, perMessage[unit], average[unit], peak[unit])),
    ...(ofIndex === undefined ? [] : [row('write to the relay index', ...ofIndex)]),
  ];
}

function provisionedRows({ provisioned, index }: AppTablePlan, deployed: DeployedCapacity): string[][] {
  const isProvisioned = deployed.mode === 'provisioned';
  return [
    ['', 'read min', 'read max', 'write min', 'write max', 'target'],
    provisionedRow('planned', withTarget(provisioned)),
    ...(isProvisioned ? [provisionedRow('deployed', deployed)] : []),
    ...(index === undefined ? [] : [provisionedRow('index, planned', withTarget(index.provisioned))]),
    ...(isProvisioned && deployed.index ? [provisionedRow('index, deployed', deployed.index)] : []),
  ];
}

/** What is not scaled has no target. */
function provisionedRow(name: string, { read, write }: DeployedRanges): string[] {
  const units = [read.minCapacity, read.maxCapacity, write.minCapacity, write.maxCapacity];
  const targets = [read, write].flatMap(({ targetUtilizationPercent: target }) =>
    target === undefined ? [] : [formatPercent(target)],
  );
  return [name, ...units.map((value = Number.NaN) => formatWhole(value)), [...new Set(targets)].join(', ')];
}

function withTarget({ read, write, targetUtilizationPercent }: AppTablePlan['provisioned']): DeployedRanges {
  return { read: { ...read, targetUtilizationPercent }, write: { ...write, targetUtilizationPercent } };
}

function monthRows({ onDemand, monthlyCost }: Pick<TablesTotal, 'onDemand' | 'monthlyCost'>): string[][] {
  return [
    ['', 'on-demand', 'provisioned'],
    ['read request units', formatWhole(onDemand.rcu), ''],
    ['write request units', formatWhole(onDemand.wcu), ''],
    ['US dollars', formatDollars(monthlyCost.onDemand), formatDollars(monthlyCost.provisioned)],
  ];
}

function deployedSentence({ mode, read, write }: DeployedCapacity): string {
  if (mode === 'provisioned')
    return 'It is deployed with provisioned capacity: the cost is that of the planned minimum.';
  const limits = [
    ...(read.maxCapacity === undefined ? [] : [`${formatWhole(read.maxCapacity)} reads`]),
    ...(write.maxCapacity === undefined ? [] : [`${formatWhole(write.maxCapacity)} writes`]),
  ];
  return `It is deployed on demand${limits.length === 0 ? '' : `, limited to ${limits.join(' and ')} a second`}.`;
}
