import type { DeclaredCapacity } from './declared-capacity.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

/** Units per second that consumption is compared with; nothing where nothing is planned. */
export interface PlannedUnits {
  readonly read: number | undefined;
  readonly write: number | undefined;
}

/** A table that is locked by writes plans no reads, and a look at it is no cause for alarm. */
const MIN_PLANNED_UNITS = 1;

/**
 * The peak of the plan, without what its index takes: that is no consumption of the table. Else the most that
 * the table is allowed to take.
 */
export function plannedUnits(capacity: DeclaredCapacity, plan: TableWorkloadPlan | undefined): PlannedUnits {
  if (plan === undefined) return maxCapacity(capacity);
  const { rcu, wcu } = plan.peak;
  return { read: Math.max(rcu, MIN_PLANNED_UNITS), write: Math.max(wcu, MIN_PLANNED_UNITS) };
}

/** The most that the table takes, outside of scheduled peaks. */
export function maxCapacity(capacity: DeclaredCapacity): PlannedUnits {
  if (capacity.mode === 'onDemand')
    return { read: capacity.maxReadRequestUnits, write: capacity.maxWriteRequestUnits };
  return { read: capacity.read.maxCapacity, write: capacity.write.maxCapacity };
}
