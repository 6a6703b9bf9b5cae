import { isKnown } from '../is-known.ts';
import { type DeclaredCapacity, maxCapacity } from './declared-capacity.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

/** A table that is locked by writes plans no reads, and a look at it is no cause for alarm. */
const MIN_PLANNED_UNITS = 1;

/**
 * Units per second that consumption is compared with: the peak of the plan, else the most that the table
 * is allowed to take, if that is known.
 */
export function plannedUnits(
  capacity: DeclaredCapacity,
  plan: TableWorkloadPlan | undefined,
): ReturnType<typeof maxCapacity> {
  if (plan === undefined) {
    const { read, write } = maxCapacity(capacity);
    return { read: known(read), write: known(write) };
  }
  const { rcu, wcu } = plan.peak;
  return { read: Math.max(rcu, MIN_PLANNED_UNITS), write: Math.max(wcu, MIN_PLANNED_UNITS) };
}

function known(units: number | undefined): number | undefined {
  return isKnown(units) ? units : undefined;
}
