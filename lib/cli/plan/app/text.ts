import { formatDollars, formatUnits, formatWhole } from '../format.ts';
import { limitNotes, limitsTable } from '../limits.ts';
import { recommendation } from '../outbox-form.ts';
import { type DataTable, provisionedTable, withTarget } from '../tables.ts';
import { planHeading, tableText as textOf, wrapped } from '../text.ts';
import type { DeployedCapacity } from './capacity.ts';
import type { PlannedEnvironment } from './environments.ts';
import type { AppTablePlan, PlannedTable } from './tables.ts';
import { type TablesTotal, totalOf } from './total.ts';

const kinds = [
  ['read', 'rcu'],
  ['write', 'wcu'],
] as const;

/** What is planned for one table, and how it is deployed; at most 80 characters wide, but for its name. */
export function tableText(table: PlannedTable): string[] {
  const { name, plan, deployed, workloads, limits, outboxForms } = table;
  const tables = [...stepTables(table), secondTable(plan), capacityTable(plan, deployed), monthTable(plan)];
  return [
    ...planHeading(name),
    ...wrapped(introductionOf(plan, workloads.length)),
    '',
    ...tables.flatMap((one) => [...textOf(one), '']),
    ...wrapped(deployedSentence(deployed)),
    ...limitNotes(limits).flatMap(wrapped),
    ...outboxForms.map(recommendation).flatMap(wrapped),
  ];
}

/** All tables together, each once. */
export function totalText(plans: readonly AppTablePlan[]): string[] {
  const total = totalOf(plans);
  const prices = plans.map(({ prices: { region, asOf } }) => `Prices of ${region}, as of ${asOf}.`);
  const notes = [...new Set(prices), 'Storage and queues are not counted.'];
  const units = {
    caption: 'Units a second',
    head: ['', 'average', 'peak', 'planned min', 'planned max'],
    rows: kinds.map(([kind, unit]) => {
      const { minCapacity, maxCapacity } = total.provisioned[kind];
      const cells = [formatUnits(total.average[unit]), formatUnits(total.peak[unit])];
      return [kind, ...cells, formatWhole(minCapacity), formatWhole(maxCapacity)];
    }),
  };
  return [
    ...planHeading(plans.length === 1 ? 'Total: 1 table' : `Total: ${plans.length} tables`),
    ...[units, monthTable(total)].flatMap((one) => [...textOf(one), '']),
    ...wrapped(notes.join(' ')),
  ];
}

/** What all tables and workloads of an account and region take of it together. */
export function environmentText({ account, region, limits }: PlannedEnvironment): string[] {
  return [
    ...planHeading(`Limits of ${account === undefined ? 'the account' : `account ${account}`} in ${region}`),
    ...textOf(limitsTable(limits)),
    '',
    ...limitNotes(limits).flatMap(wrapped),
  ];
}

function introductionOf(plan: AppTablePlan, workloads: number): string {
  const kinds = { shared: 'Table of sagas and outbox', saga: 'Saga table', outbox: 'Outbox table' };
  const many = workloads === 1 ? 'a workload' : `${workloads} workloads`;
  return (
    `${kinds[plan.table]} of ${many}: ${formatUnits(plan.messagesPerSecond)} messages/s, at peak ` +
    `${formatUnits(plan.peakMessagesPerSecond)}.`
  );
}

function stepTables({ steps, workloads }: PlannedTable): DataTable[] {
  return steps.map((ofWorkload, index) => ({
    caption: `Steps of one new message${workloads.length === 1 ? '' : ` of workload ${index + 1}`}`,
    head: ['step', 'operation', 'calls', 'items', 'RCU', 'WCU'],
    rows: ofWorkload.map(({ step, operation, calls, items, rcu, wcu }) => [
      ...[step, operation],
      ...[calls, items, rcu, wcu].map(formatUnits),
    ]),
    leftColumns: 2,
  }));
}

function secondTable({ perMessage, average, peak }: AppTablePlan): DataTable {
  const row = (name: string, ...units: number[]) => [name, ...units.map(formatUnits)];
  return {
    caption: 'Units a second',
    head: ['', 'a delivery', 'average', 'peak'],
    rows: kinds.map(([kind, unit]) => row(kind, perMessage[unit], average[unit], peak[unit])),
  };
}

function capacityTable({ provisioned }: AppTablePlan, deployed: DeployedCapacity): DataTable {
  const isProvisioned = deployed.mode === 'provisioned';
  return provisionedTable([
    ['planned', withTarget(provisioned)],
    ...(isProvisioned ? [['deployed', deployed] as const] : []),
  ]);
}

function monthTable({ onDemand, monthlyCost }: Pick<TablesTotal, 'onDemand' | 'monthlyCost'>): DataTable {
  return {
    caption: 'A month',
    head: ['', 'on-demand', 'provisioned'],
    rows: [
      ['read request units', formatWhole(onDemand.rcu), ''],
      ['write request units', formatWhole(onDemand.wcu), ''],
      ['US dollars', formatDollars(monthlyCost.onDemand), formatDollars(monthlyCost.provisioned)],
    ],
  };
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
