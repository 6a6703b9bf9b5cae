import { INDEX_READ_UNITS } from '../../capacity/table-plan.ts';
import { defined } from '../../core/defined.ts';
import { isKnown } from '../assert-range.ts';
import { type AutoscaledCapacity, type UnitRange, wholeUnits } from './autoscaled-capacity.ts';
import { type PeakUnits, type ScheduledWorkloadPeak, type TablePeak, tablePeak } from './scheduled-peak.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

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

/** @returns `undefined` if the plan has no index */
export function plannedIndex(
  { index, peak: ofTable }: TableWorkloadPlan,
  scheduledPeaks: readonly ScheduledWorkloadPeak[],
  withHeadroom: (range: UnitRange) => Required<AutoscaledCapacity>,
): IndexCapacity | undefined {
  if (index === undefined) return undefined;
  const { read, write: planned } = index.provisioned;
  const write = withHeadroom(planned);
  // Of sagas with embedded outboxes, an outbox table holds what does not fit into them: most often nothing.
  const share = ofTable.wcu === 0 ? 0 : index.peak.wcu / ofTable.wcu;
  const peaks = scheduledPeaks.map(({ read: _ofTable, write: given, ...times }, position) => {
    const units = given === undefined ? { minCapacity: planned.maxCapacity } : shareOf(given, share);
    return tablePeak({ ...times, write: units }, position, { read, write });
  });
  return { readUnits: read.minCapacity, write, peaks };
}

/**
 * Units that a peak is given are for the table: the index has its share of them, or all of them if they are
 * known only at deployment.
 */
function shareOf(given: PeakUnits, share: number): PeakUnits {
  const { minCapacity, maxCapacity } = given;
  if (!isKnown(minCapacity) || !isKnown(maxCapacity)) return given;
  const shared = (units: number) => Math.max(1, wholeUnits(units * share));
  return {
    minCapacity: shared(minCapacity),
    ...defined({ maxCapacity: maxCapacity && shared(maxCapacity) }),
  };
}
