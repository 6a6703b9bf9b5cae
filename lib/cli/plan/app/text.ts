import type { PlannedStep } from '../../../capacity/index.ts';
import { textTable } from '../../../charts/text-table.ts';
import { wrapped } from '../../wrapped.ts';
import { formatDollars, formatPercent, formatUnits, formatWhole } from '../format.ts';
import { planHeading } from '../text.ts';
import type { DeployedCapacity, DeployedRanges, DeployedUnits } from './capacity.ts';
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
    ...steps.flatMap((ofWorkload, index) => [
      `Steps of one new message${workloads.length === 1 ? '' : ` of workload ${index + 1}`}`,
      ...indented(stepTable(ofWorkload)),
      '',
    ]),
    'Units a second',
    ...indented(secondTable(plan)),
    '',
    'Provisioned capacity, units',
    ...indented(provisionedTable(plan, deployed)),
    '',
    'A month',
    ...indented(monthTable({ ...plan, onDemand: requestUnitsOf(plan) })),
    '',
    ...wrapped(deployedSentence(deployed), 80),
  ];
}

/** All tables together, each once. */
export function totalText(tables: readonly PlannedTable[]): string[] {
  const total = totalOf(tables);
  const [read, write] = [total.provisioned.read, total.provisioned.write];
  const prices = new Set(
    tables.map(({ plan: { prices } }) => `Prices of ${prices.region}, as of ${prices.asOf}.`),
  );
  return [
    ...planHeading(tables.length === 1 ? 'Total: 1 table' : `Total: ${tables.length} tables`),
    'Units a second',
    ...indented(
      textTable([
        ['', 'average', 'peak', 'planned min', 'planned max'],
        ...kinds.map(([kind, unit]) => [
          kind,
          formatUnits(total.average[unit]),
          formatUnits(total.peak[unit]),
          ...(kind === 'read'
            ? [read.minCapacity, read.maxCapacity]
            : [write.minCapacity, write.maxCapacity]
          ).map(formatWhole),
        ]),
      ]),
    ),
    '',
    'A month',
    ...indented(monthTable(total)),
    '',
    ...wrapped(`${[...prices].join(' ')} Storage and queues are not counted.`, 80),
  ];
}

function introductionOf(plan: AppTablePlan, workloads: number): string {
  const kind = plan.table === 'shared' ? 'Table of sagas and outbox' : `${plan.table} table`;
  const many = workloads === 1 ? 'a workload' : `${workloads} workloads`;
  return (
    `${kind.charAt(0).toUpperCase()}${kind.slice(1)} of ${many}: ${formatUnits(plan.messagesPerSecond)} ` +
    `messages/s, at peak ${formatUnits(plan.peakMessagesPerSecond)}.`
  );
}

function stepTable(steps: readonly PlannedStep[]): string[] {
  return textTable(
    [
      ['step', 'operation', 'calls', 'items', 'RCU', 'WCU'],
      ...steps.map(({ step, operation, calls, items, rcu, wcu }) => [
        step,
        operation,
        ...[calls, items, rcu, wcu].map(formatUnits),
      ]),
    ],
    ['left', 'left'],
  );
}

function secondTable({ perMessage, average, peak, index, messagesPerSecond }: AppTablePlan): string[] {
  return textTable([
    ['', 'a delivery', 'average', 'peak'],
    ...kinds.map(([kind, unit]) => [kind, ...[perMessage, average, peak].map((of) => formatUnits(of[unit]))]),
    ...(index === undefined
      ? []
      : [
          [
            'write to the relay index',
            ...[index.average.wcu / messagesPerSecond, index.average.wcu, index.peak.wcu].map(formatUnits),
          ],
        ]),
  ]);
}

function provisionedTable({ provisioned, index }: AppTablePlan, deployed: DeployedCapacity): string[] {
  const isProvisioned = deployed.mode === 'provisioned';
  return textTable([
    ['', 'read min', 'read max', 'write min', 'write max', 'target'],
    provisionedRow('planned', withTarget(provisioned)),
    ...(isProvisioned ? [provisionedRow('deployed', deployed)] : []),
    ...(index === undefined ? [] : [provisionedRow('index, planned', withTarget(index.provisioned))]),
    ...(isProvisioned && deployed.index !== undefined
      ? [provisionedRow('index, deployed', deployed.index)]
      : []),
  ]);
}

function provisionedRow(name: string, { read, write }: DeployedRanges): string[] {
  const units = [read.minCapacity, read.maxCapacity, write.minCapacity, write.maxCapacity];
  return [name, ...units.map((value) => formatWhole(value ?? Number.NaN)), targetOf(read, write)];
}

function withTarget({ read, write, targetUtilizationPercent }: AppTablePlan['provisioned']): DeployedRanges {
  return {
    read: { ...read, targetUtilizationPercent },
    write: { ...write, targetUtilizationPercent },
  };
}

/** What is not scaled has no target. */
function targetOf(...ranges: DeployedUnits[]): string {
  const targets = new Set(
    ranges.flatMap(({ targetUtilizationPercent: target }) =>
      target === undefined ? [] : [formatPercent(target)],
    ),
  );
  return [...targets].join(', ');
}

function monthTable({ onDemand, monthlyCost }: Pick<TablesTotal, 'onDemand' | 'monthlyCost'>): string[] {
  return textTable([
    ['', 'on-demand', 'provisioned'],
    ['read request units', formatWhole(onDemand.rcu), ''],
    ['write request units', formatWhole(onDemand.wcu), ''],
    ['US dollars', formatDollars(monthlyCost.onDemand), formatDollars(monthlyCost.provisioned)],
  ]);
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

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
