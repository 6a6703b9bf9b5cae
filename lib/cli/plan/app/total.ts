import type { TablePlan } from '../../../capacity/workload.ts';
import type { AppTablePlan } from './tables.ts';

export type TablesTotal = ReturnType<typeof totalOf>;

/** Each table once. Peaks are taken to be at the same time. */
export function totalOf(plans: readonly AppTablePlan[]) {
  const range = (kind: 'read' | 'write') => ({
    minCapacity: sum(plans, ({ provisioned }) => provisioned[kind].minCapacity),
    maxCapacity: sum(plans, ({ provisioned }) => provisioned[kind].maxCapacity),
  });
  return {
    average: unitsOf(plans, 'average'),
    peak: unitsOf(plans, 'peak'),
    provisioned: { read: range('read'), write: range('write') },
    onDemand: unitsOf(plans, 'onDemand'),
    monthlyCost: {
      onDemand: sum(plans, ({ monthlyCost }) => monthlyCost.onDemand),
      provisioned: sum(plans, ({ monthlyCost }) => monthlyCost.provisioned),
    },
  };
}

function unitsOf(capacities: readonly TablePlan[], figure: 'average' | 'peak' | 'onDemand') {
  return {
    rcu: sum(capacities, (capacity) => capacity[figure].rcu),
    wcu: sum(capacities, (capacity) => capacity[figure].wcu),
  };
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
