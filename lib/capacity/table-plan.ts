import type { CapacityUnitsPlan } from './message-shape.ts';
import { timesUnits } from './steps.ts';
import type { TablePlan } from './workload.ts';

export const SECONDS_PER_MONTH = 730 * 3600;

export interface Load {
  readonly messagesPerSecond: number;
  readonly peakMessagesPerSecond: number;
  readonly targetUtilizationPercent: number;
}

/** @param perMessage what a message takes of the table */
export function tablePlan(perMessage: CapacityUnitsPlan, load: Load): TablePlan {
  const { targetUtilizationPercent } = load;
  const average = timesUnits(perMessage, load.messagesPerSecond);
  const peak = timesUnits(perMessage, load.peakMessagesPerSecond);
  const range = (kind: 'rcu' | 'wcu') => ({
    minCapacity: unitsFor(average[kind], targetUtilizationPercent),
    maxCapacity: unitsFor(peak[kind], targetUtilizationPercent),
  });
  return {
    average,
    peak,
    provisioned: { read: range('rcu'), write: range('wcu'), targetUtilizationPercent },
    onDemand: timesUnits(average, SECONDS_PER_MONTH),
  };
}

/** A table has at least one unit of each. */
function unitsFor(unitsPerSecond: number, targetUtilizationPercent: number): number {
  const exact = (unitsPerSecond * 100) / targetUtilizationPercent;
  // What is above a whole number by the error of the arithmetic alone is that number.
  return Math.max(1, Math.ceil(exact * (1 - 1e-12)));
}
