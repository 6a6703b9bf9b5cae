import type { CapacityUnitsPlan } from '../../../capacity/message-shape.ts';
import type { CapacityPlan } from '../../../capacity/workload.ts';
import type { AppTablePlan } from './tables.ts';

export type TablesTotal = ReturnType<typeof totalOf>;

/** Each table once, with its index. Peaks are taken to be at the same time. */
export function totalOf(plans: readonly AppTablePlan[]) {
  const capacities = plans.flatMap(capacitiesOf);
  const range = (kind: 'read' | 'write') => ({
    minCapacity: sum(capacities, ({ provisioned }) => provisioned[kind].minCapacity),
    maxCapacity: sum(capacities, ({ provisioned }) => provisioned[kind].maxCapacity),
  });
  return {
    average: unitsOf(capacities, 'average'),
    peak: unitsOf(capacities, 'peak'),
    provisioned: { read: range('read'), write: range('write') },
    onDemand: unitsOf(capacities, 'onDemand'),
    monthlyCost: {
      onDemand: sum(plans, ({ monthlyCost }) => monthlyCost.onDemand),
      provisioned: sum(plans, ({ monthlyCost }) => monthlyCost.provisioned),
    },
  };
}

/** Request units of a month, of a table and its index. */
export function requestUnitsOf(plan: AppTablePlan): CapacityUnitsPlan {
  return unitsOf(capacitiesOf(plan), 'onDemand');
}

function capacitiesOf(plan: AppTablePlan): CapacityPlan[] {
  return plan.index === undefined ? [plan] : [plan, plan.index];
}

function unitsOf(capacities: readonly CapacityPlan[], figure: 'average' | 'peak' | 'onDemand') {
  return {
    rcu: sum(capacities, (capacity) => capacity[figure].rcu),
    wcu: sum(capacities, (capacity) => capacity[figure].wcu),
  };
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
