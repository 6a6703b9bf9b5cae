import { INDEX_READ_UNITS } from '../../capacity/table-plan.ts';
import { type AutoscaledCapacity, isKnown } from './autoscaled-capacity.ts';
import type { PeakUnits, ScheduledWorkloadPeak } from './scheduled-peak.ts';
import { type TablePeak, tablePeak, type UnitRange } from './table-peak.ts';
import type { TableWorkloadPlan } from './table-plan.ts';
import { wholeUnits } from './whole-units.ts';

/** What the relay index is declared with. Its reads do not scale. */
export interface IndexCapacity {
  readonly readUnits: number;
  readonly write: Required<AutoscaledCapacity>;
  readonly peaks: readonly TablePeak[];
}

/**
 * Without a plan nothing tells which of the table's writes are the index's: with all of them it never
 * throttles the table.
 */
export function indexLikeTable(
  write: Required<AutoscaledCapacity>,
  peaks: readonly TablePeak[],
): IndexCapacity {
  return { readUnits: INDEX_READ_UNITS, write, peaks };
}

/** @returns nothing when the plan has no index */
export function plannedIndex(
  { index, peak: ofTable }: TableWorkloadPlan,
  scheduledPeaks: readonly ScheduledWorkloadPeak[],
  withHeadroom: (range: UnitRange) => Required<AutoscaledCapacity>,
): IndexCapacity | undefined {
  if (index === undefined) return undefined;
  const { read, write: planned } = index.provisioned;
  const write = withHeadroom(planned);
  const share = index.peak.wcu / ofTable.wcu;
  const peaks = scheduledPeaks.map(({ read: _ofTable, write: given, ...times }, position) => {
    const units = given === undefined ? { minCapacity: planned.maxCapacity } : shareOf(given, share);
    return tablePeak({ ...times, write: units }, position, read, write);
  });
  return { readUnits: read.minCapacity, write, peaks };
}

/**
 * Whoever gives a peak other units than the planned ones gives them for the table: the index has its share of
 * them, or all of them when they are known at the deployment only.
 */
function shareOf(given: PeakUnits, share: number): PeakUnits {
  const { minCapacity, maxCapacity } = given;
  if (!isKnown(minCapacity) || (maxCapacity !== undefined && !isKnown(maxCapacity))) return given;
  const shared = (units: number) => Math.max(1, wholeUnits(units * share));
  return {
    minCapacity: shared(minCapacity),
    ...(maxCapacity === undefined ? {} : { maxCapacity: shared(maxCapacity) }),
  };
}
