import { assertNoRenamedSettings } from '../../core/checks/renamed-settings.ts';
import { assertRange, isKnown } from '../assert-range.ts';

/** Provisioned capacity that follows the load between two limits. */
export interface AutoscaledCapacity {
  /** Capacity units per second that are always there; at least 1. */
  readonly minCapacity: number;
  /** Capacity units per second that are never exceeded; at least `minCapacity`. */
  readonly maxCapacity: number;
  /**
   * The consumed share of the capacity that autoscaling holds, in percent, 20 to 90.
   *
   * @default 70
   */
  readonly targetUtilizationPercent?: number;
}

export type UnitRange = Pick<AutoscaledCapacity, 'minCapacity' | 'maxCapacity'>;

/** The limits that Application Auto Scaling sets on a DynamoDB table's target. */
const targetUtilizationLimits = { min: 20, max: 90, fractions: true } as const;

export function withTarget(capacity: AutoscaledCapacity): Required<AutoscaledCapacity> {
  return { targetUtilizationPercent: 70, ...capacity };
}

export function assertAutoscaledCapacity(setting: string, capacity: AutoscaledCapacity): void {
  // NaN, which is out of range, if plain JavaScript leaves it out.
  assertUnitRange(setting, { ...capacity, maxCapacity: Number(capacity.maxCapacity) });
  const { targetUtilizationPercent } = capacity;
  assertRange(`${setting}.targetUtilizationPercent`, targetUtilizationPercent, targetUtilizationLimits);
}

export function assertUnitRange(
  setting: string,
  range: Pick<UnitRange, 'minCapacity'> & Partial<UnitRange>,
): void {
  assertNoRenamedSettings(range);
  const { minCapacity = Number.NaN, maxCapacity } = range;
  assertRange(`${setting}.minCapacity`, minCapacity, { min: 1 });
  const bounds = isKnown(minCapacity) ? { min: minCapacity, minIs: 'the minCapacity' } : { min: 1 };
  assertRange(`${setting}.maxCapacity`, maxCapacity, bounds);
}

/** Products of decimals are a little off: 10 x 1.1 units are 11, not 12. */
export function wholeUnits(units: number): number {
  return Math.ceil(Number(units.toPrecision(12)));
}
