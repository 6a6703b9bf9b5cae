import type { DeclaredUnits } from '../../capacity/scale/table-limits.ts';
import { defined } from '../../kernel/defined.ts';
import { isKnown } from '../is-known.ts';
import type { UnitRange } from './autoscaled-capacity.ts';
import { type DeclaredCapacity, maxCapacity } from './declared-capacity.ts';
import type { TablePeak } from './scheduled-peak.ts';

type Side = 'read' | 'write';

/** The most that a table may take, also at scheduled peaks. */
export function declaredUnits(capacity: DeclaredCapacity): DeclaredUnits {
  if (capacity.mode === 'onDemand') return knownUnits(maxCapacity(capacity));
  const { read, write, peaks } = capacity;
  return knownUnits({ read: mostOf(read, peaks, 'read'), write: mostOf(write, peaks, 'write') });
}

/** Without units that only the deployment knows. */
export function knownUnits(units: Readonly<Record<Side, number | undefined>>): DeclaredUnits {
  const known = (side: Side) => (isKnown(units[side]) ? units[side] : undefined);
  return defined({ read: known('read'), write: known('write') });
}

function mostOf(
  { maxCapacity: usual }: UnitRange,
  peaks: readonly TablePeak[],
  side: Side,
): number | undefined {
  const maxima = [usual, ...peaks.flatMap(({ [side]: ofPeak }) => ofPeak?.maxCapacity ?? [])];
  // A maximum that only the deployment knows may be the largest.
  return maxima.every(isKnown) ? Math.max(...maxima) : undefined;
}
