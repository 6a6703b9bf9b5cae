import type { WorkloadPlan } from '../../capacity/index.ts';
import type { CapacityUnitsPlan } from '../../capacity/message-shape.ts';
import type { TablePlan } from '../../capacity/workload.ts';
import { formatDollars, formatPercent, formatUnits, formatWhole } from './format.ts';

/** Figures, as the terminal and the page show them. The first cell of each row is its header. */
export interface DataTable {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** @default 1 */
  readonly leftColumns?: number;
}

/** All figures of a plan but the comparison. */
export function planTables(plan: WorkloadPlan): [steps: DataTable, ...others: DataTable[]] {
  const { steps, newMessage, perMessage, duplicate } = plan.message;
  const { onDemand, provisioned, storage, queue } = plan.monthlyCost;
  const totals = totalCosts(plan);
  const capacities = tablesOf(plan).map(([name, capacity]) => [`${name} table`, capacity] as const);
  const { refusedWcu = 0 } = perMessage;
  const withRefused = ({ rcu, wcu }: CapacityUnitsPlan, refused: number) =>
    refusedWcu > 0 ? [rcu, wcu, refused] : [rcu, wcu];
  const units = (name: string, ...values: number[]) => [name, ...values.map(formatUnits)];
  const estimated = plan.prices.estimatedQueuePrice ? ', estimated' : '';
  const dollars = (name: string, ...values: number[]) => [name, ...values.map(formatDollars)];
  return [
    {
      caption: 'One new message',
      head: ['step', 'operation', 'table', 'calls', 'items', 'RCU', 'WCU'],
      rows: [
        ...steps.map(({ step, operation, table = '', calls, items, rcu, wcu }) => [
          ...[step, operation, table],
          ...[calls, items, rcu, wcu].map(formatUnits),
        ]),
        ['total', '', '', formatUnits(newMessage.calls), '', ...unitCells(newMessage)],
      ],
      leftColumns: 3,
    },
    {
      caption: 'On average, with duplicates and conflicts',
      head: ['', 'calls', 'RCU', 'WCU', ...(refusedWcu > 0 ? ['of them refused'] : [])],
      rows: [
        units('a delivery', perMessage.calls, ...withRefused(perMessage, refusedWcu)),
        units('a duplicate', duplicate.calls, ...withRefused(duplicate, 0)),
      ],
    },
    {
      caption: 'Units a second',
      head: ['', 'average RCU', 'average WCU', 'peak RCU', 'peak WCU'],
      rows: capacities.map(([name, { average, peak }]) => [name, ...unitCells(average), ...unitCells(peak)]),
    },
    provisionedTable(capacities.map(([name, capacity]) => [name, withTarget(capacity.provisioned)])),
    {
      caption: 'A month on-demand, request units',
      head: ['', 'read', 'write'],
      rows: capacities.map(([name, capacity]) => {
        const { rcu, wcu } = capacity.onDemand;
        return [name, formatWhole(rcu), formatWhole(wcu)];
      }),
    },
    {
      caption: 'A month, US dollars',
      head: ['', 'on-demand', 'provisioned'],
      rows: [
        dollars('tables', onDemand, provisioned),
        dollars('storage', storage, storage),
        dollars(`queue${estimated}`, queue, queue),
        dollars(`total${estimated}`, totals.onDemand, totals.provisioned),
      ],
    },
  ];
}

/** Units a second. A template may leave one open; capacity that is not scaled has no target. */
export interface UnitRange {
  readonly minCapacity?: number;
  readonly maxCapacity?: number;
  /** The largest of the scheduled actions, which a template can have. */
  readonly maxScheduledCapacity?: number;
  readonly targetUtilizationPercent?: number;
}

export interface UnitRanges {
  readonly read: UnitRange;
  readonly write: UnitRange;
}

export function provisionedTable(rows: readonly (readonly [name: string, UnitRanges])[]): DataTable {
  return {
    caption: 'Provisioned capacity, units',
    head: ['', 'read min', 'read max', 'write min', 'write max', 'target'],
    rows: rows.map(([name, { read, write }]) => {
      const units = [read.minCapacity, read.maxCapacity, write.minCapacity, write.maxCapacity];
      const targets = [read, write].flatMap(({ targetUtilizationPercent }) => targetUtilizationPercent ?? []);
      return [
        name,
        ...units.map((value = Number.NaN) => formatWhole(value)),
        [...new Set(targets)].map(formatPercent).join(', '),
      ];
    }),
  };
}

export function withTarget({ read, write, targetUtilizationPercent }: TablePlan['provisioned']): UnitRanges {
  return { read: { ...read, targetUtilizationPercent }, write: { ...write, targetUtilizationPercent } };
}

function unitCells({ rcu, wcu }: { readonly rcu: number; readonly wcu: number }): string[] {
  return [formatUnits(rcu), formatUnits(wcu)];
}

type TableName = 'saga' | 'outbox' | 'shared';

/** By name, in the order in which a message uses them. */
export function tablesOf({ tables }: WorkloadPlan): (readonly [name: TableName, plan: TablePlan])[] {
  if ('shared' in tables) return [['shared', tables.shared]];
  const { saga, outbox } = tables;
  return [...(saga ? [['saga', saga] as const] : []), ...(outbox ? [['outbox', outbox] as const] : [])];
}

/** What both billing modes cost in a month, with all that they share. */
export function totalCosts({ monthlyCost }: WorkloadPlan): { onDemand: number; provisioned: number } {
  const { onDemand, provisioned, storage, queue } = monthlyCost;
  return { onDemand: onDemand + storage + queue, provisioned: provisioned + storage + queue };
}
