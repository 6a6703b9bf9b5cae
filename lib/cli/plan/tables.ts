import type { WorkloadPlan } from '../../capacity/index.ts';
import type { CapacityPlan, TablePlan } from '../../capacity/workload.ts';

type NamedCapacity = [name: 'saga' | 'outbox' | 'shared' | 'index', plan: CapacityPlan];

/** Tables and the relay index behind its table, by name: in the order in which a message uses them. */
export function tablesOf({ tables }: WorkloadPlan): NamedCapacity[] {
  if ('shared' in tables) return withIndex('shared', tables.shared);
  return [...withIndex('saga', tables.saga), ...withIndex('outbox', tables.outbox)];
}

function withIndex(name: NamedCapacity[0], table: TablePlan | undefined): NamedCapacity[] {
  if (table === undefined) return [];
  return [[name, table], ...(table.index === undefined ? [] : [['index', table.index] as NamedCapacity])];
}

/** What both billing modes cost in a month, with all that they share. */
export function totalCosts({ monthlyCost }: WorkloadPlan): { onDemand: number; provisioned: number } {
  const { onDemand, provisioned, storage, queue } = monthlyCost;
  return { onDemand: onDemand + storage + queue, provisioned: provisioned + storage + queue };
}
