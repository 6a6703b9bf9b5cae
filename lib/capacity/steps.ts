import type { CapacityUnitsPlan, DeliveryPlan, PlannedStep } from './message-shape.ts';

type GivenStep = Pick<PlannedStep, 'step' | 'operation' | 'items' | 'table'> & Partial<PlannedStep>;

/** A step that makes one call, unless told otherwise. */
export function stepOf(given: GivenStep): PlannedStep {
  const { step, operation, calls = 1, items, rcu = 0, wcu = 0, refusedWcu = 0, table } = given;
  return {
    ...{ step, operation, calls, items, rcu, wcu },
    ...(refusedWcu > 0 ? { refusedWcu } : {}),
    table,
  };
}

/** The steps of each way in which a delivery can go. */
export type DeliverySteps = Readonly<
  Record<'newMessage' | 'duplicate' | 'redispatch' | 'discard' | 'failedHandler', readonly PlannedStep[]>
>;

export function deliveryOf(steps: readonly PlannedStep[]): DeliveryPlan {
  return { steps, calls: sum(steps, ({ calls }) => calls), ...sumOfUnits(steps) };
}

export function sumOfUnits(all: readonly CapacityUnitsPlan[]): CapacityUnitsPlan {
  return { rcu: sum(all, ({ rcu }) => rcu), wcu: sum(all, ({ wcu }) => wcu) };
}

export function timesUnits({ rcu, wcu }: CapacityUnitsPlan, factor: number): CapacityUnitsPlan {
  return { rcu: rcu * factor, wcu: wcu * factor };
}

export function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
