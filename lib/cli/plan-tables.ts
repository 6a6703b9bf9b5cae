import type { TablePlan, WorkloadPlan } from '../capacity/index.ts';

/** The tables of a plan by their names, in the order in which a message meets them. */
export function tablesOf({ tables }: WorkloadPlan): [name: 'saga' | 'outbox' | 'shared', plan: TablePlan][] {
  if ('shared' in tables) return [['shared', tables.shared]];
  const { saga, outbox } = tables;
  return [
    ...(saga === undefined ? [] : [['saga', saga] as ['saga', TablePlan]]),
    ...(outbox === undefined ? [] : [['outbox', outbox] as ['outbox', TablePlan]]),
  ];
}

/** What both billing modes cost in a month, with all that they share. */
export function totalCosts({ monthlyCost }: WorkloadPlan): { onDemand: number; provisioned: number } {
  const { onDemand, provisioned, storage, queue } = monthlyCost;
  return { onDemand: onDemand + storage + queue, provisioned: provisioned + storage + queue };
}
