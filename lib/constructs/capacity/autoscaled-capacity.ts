import { aNumber } from '../../kernel/checks/checks.ts';
import { defined } from '../../kernel/defined.ts';
import { withProps } from '../checks/prop-checks.ts';
import { isKnown } from '../is-known.ts';
import type { PropProblems } from '../violations.ts';

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

export const anAutoscaledCapacity = withProps<AutoscaledCapacity>(
  { minCapacity: aNumber, maxCapacity: aNumber, targetUtilizationPercent: aNumber },
  { needs: ['minCapacity', 'maxCapacity'] },
);

export type UnitRange = Pick<AutoscaledCapacity, 'minCapacity' | 'maxCapacity'>;

/** The limits that Application Auto Scaling sets on a DynamoDB table's target. */
const targetUtilizationLimits = { min: 20, max: 90, fractions: true } as const;

export function withTarget(capacity: AutoscaledCapacity): Required<AutoscaledCapacity> {
  return { targetUtilizationPercent: 70, ...capacity };
}

/**
 * What is out of range is reported, and replaced by what a table takes; so is a capacity that was left out,
 * and reported before.
 */
export function checkedCapacity(
  setting: string,
  capacity: AutoscaledCapacity | undefined,
  problems: PropProblems,
): AutoscaledCapacity {
  const { targetUtilizationPercent, ...range } = capacity ?? { minCapacity: 1, maxCapacity: 1 };
  return {
    ...checkedRange(setting, range, problems),
    ...defined({
      targetUtilizationPercent: problems.inRange(
        `${setting}.targetUtilizationPercent`,
        targetUtilizationPercent,
        targetUtilizationLimits,
        undefined,
      ),
    }),
  };
}

export function checkedRange<Max extends number | undefined>(
  setting: string,
  range: { readonly minCapacity: number; readonly maxCapacity: Max },
  problems: PropProblems,
): { minCapacity: number; maxCapacity: Max } {
  const { maxCapacity } = range;
  const minCapacity = problems.inRange(`${setting}.minCapacity`, range.minCapacity, { min: 1 }, 1);
  const bounds = isKnown(minCapacity) ? { min: minCapacity, minIs: 'the minCapacity' } : { min: 1 };
  const most = maxCapacity as number | undefined;
  const inRange = problems.inRange(`${setting}.maxCapacity`, most, bounds, minCapacity);
  return { minCapacity, maxCapacity: inRange as Max };
}

/** Products of decimals are a little off: 10 x 1.1 units are 11, not 12. */
export function wholeUnits(units: number): number {
  return Math.ceil(Number(units.toPrecision(12)));
}
