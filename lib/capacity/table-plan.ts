import type { CapacityUnitsPlan } from './message-shape.ts';
import type { CapacityPlan, TablePlan } from './workload.ts';

export const SECONDS_PER_MONTH = 730 * 3600;

export interface Load {
  readonly messagesPerSecond: number;
  readonly peakMessagesPerSecond: number;
  readonly targetUtilizationPercent: number;
}

/** Enough for the searches of a few relays; a search that is throttled goes on later. */
export const INDEX_READ_UNITS = 5;

/**
 * @param perMessage what a message takes of the table itself
 * @param ofIndex what it takes of the table's relay index; nothing for a table without one
 */
export function tablePlan(
  perMessage: CapacityUnitsPlan,
  load: Load,
  ofIndex: CapacityUnitsPlan | undefined,
): TablePlan {
  const table = capacityPlan(perMessage, load);
  return ofIndex === undefined ? table : { ...table, index: indexPlan(ofIndex, load) };
}

function indexPlan(perMessage: CapacityUnitsPlan, load: Load): CapacityPlan {
  const index = capacityPlan(perMessage, load);
  const read = { minCapacity: INDEX_READ_UNITS, maxCapacity: INDEX_READ_UNITS };
  return { ...index, provisioned: { ...index.provisioned, read } };
}

function capacityPlan(perMessage: CapacityUnitsPlan, load: Load): CapacityPlan {
  const average = times(perMessage, load.messagesPerSecond);
  const peak = times(perMessage, load.peakMessagesPerSecond);
  const range = (kind: 'rcu' | 'wcu') => ({
    minCapacity: unitsFor(average[kind], load.targetUtilizationPercent),
    maxCapacity: unitsFor(peak[kind], load.targetUtilizationPercent),
  });
  return {
    average,
    peak,
    provisioned: {
      read: range('rcu'),
      write: range('wcu'),
      targetUtilizationPercent: load.targetUtilizationPercent,
    },
    onDemand: times(average, SECONDS_PER_MONTH),
  };
}

/** A table has at least one unit of each. */
function unitsFor(unitsPerSecond: number, targetUtilizationPercent: number): number {
  const exact = (unitsPerSecond * 100) / targetUtilizationPercent;
  // What is above a whole number by the error of the arithmetic alone is that number.
  return Math.max(1, Math.ceil(exact * (1 - 1e-12)));
}

function times({ rcu, wcu }: CapacityUnitsPlan, factor: number): CapacityUnitsPlan {
  return { rcu: rcu * factor, wcu: wcu * factor };
}
