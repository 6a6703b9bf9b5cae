import type { CapacityUnitsPlan, DeliveryPlan, PlannedStep } from './message-shape.ts';

type GivenStep = Pick<PlannedStep, 'step' | 'operation' | 'items' | 'table'> & Partial<PlannedStep>;

/** A step that makes one call, unless told otherwise. */
export function stepOf(given: GivenStep): PlannedStep {
  const { step, operation, calls = 1, items, rcu = 0, wcu = 0, indexWcu = 0, table } = given;
  return { step, operation, calls, items, rcu, wcu, ...(indexWcu > 0 ? { indexWcu } : {}), table };
}

export function deliveryOf(steps: readonly PlannedStep[]): DeliveryPlan {
  return { steps, calls: sum(steps, ({ calls }) => calls), ...unitsOf(steps) };
}

export function unitsOf(steps: readonly PlannedStep[]): CapacityUnitsPlan {
  return { rcu: sum(steps, ({ rcu }) => rcu), wcu: sum(steps, ({ wcu }) => wcu) };
}

export function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
