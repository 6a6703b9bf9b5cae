import type { CapacityUnitsPlan } from './message-shape.ts';
import type { TablePlan } from './workload.ts';

export const SECONDS_PER_MONTH = 730 * 3600;

export interface Load {
  readonly messagesPerSecond: number;
  readonly peakMessagesPerSecond: number;
  readonly targetUtilizationPercent: number;
}

/** @param perMessage what a message takes of the table */
export function tablePlan(perMessage: CapacityUnitsPlan, load: Load): TablePlan {
  const average = times(perMessage, load.messagesPerSecond);
  const peak = times(perMessage, load.peakMessagesPerSecond);
  const range = (kind: 'rcu' | 'wcu') => ({
    minUnits: unitsFor(average[kind], load.targetUtilizationPercent),
    maxUnits: unitsFor(peak[kind], load.targetUtilizationPercent),
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
