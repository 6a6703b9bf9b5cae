import { type Duration, durationProblem, toMilliseconds } from '../duration.ts';
import { aDuration, type Check } from './checks.ts';
import type { Refusal } from './problems.ts';

/** What a number may be. */
export interface Bounds {
  readonly min: number;
  /** What the minimum is. @default - a number of its own */
  readonly minIs?: string;
  /** @default - none */
  readonly max?: number;
  /** @default false */
  readonly fractions?: boolean;
  /** What is counted. @default - nothing that has a name */
  readonly unit?: 'seconds';
  /** The bound that the number may not reach. @default - none */
  readonly excludes?: 'min' | 'max';
}

/** @returns cause and remedy when the value is out of range */
export function rangeProblem(value: number, bounds: Bounds): Refusal | undefined {
  const { min, max = Number.MAX_VALUE, fractions = false, unit, excludes } = bounds;
  const isOfKind = fractions || Number.isSafeInteger(value);
  const isExcluded = (excludes === 'min' && value === min) || (excludes === 'max' && value === max);
  if (isOfKind && value >= min && value <= max && !isExcluded) return undefined;
  const number = `${fractions ? 'value' : 'whole number'}${unit === undefined ? '' : ` of ${unit}`}`;
  return {
    problem: `${value}${unit === undefined ? '' : ' s'} is out of range`,
    remedy: `Use a ${number} ${rangeText(bounds)}`,
  };
}

function rangeText({ min, minIs, max, excludes }: Bounds): string {
  if (excludes === 'min') return max === undefined ? `above ${min}` : `above ${min}, up to ${max}`;
  if (max === undefined) return `of at least ${minIs === undefined ? min : `${minIs}, ${min}`}`;
  return `from ${min} to ${excludes === 'max' ? 'below ' : ''}${max}`;
}

export function numberIn(bounds: Bounds): Check {
  return (value, at, report) => {
    // What is no number is in no range either, and has the same remedy.
    const found = rangeProblem(typeof value === 'number' ? value : Number.NaN, bounds);
    if (found === undefined) return value;
    const problem = typeof value === 'number' ? found.problem : `${report.describe(value)} is not a number`;
    report.add(at, problem, found.remedy);
    return undefined;
  };
}

/** @param range as people write it, such as 'from a minute to 3650 days' */
export function durationIn(min: Duration, max: Duration, range: string): Check {
  return (value, at, report) => {
    if (durationProblem(value) !== undefined) return aDuration(value, at, report);
    const milliseconds = toMilliseconds(value as Duration);
    if (milliseconds >= toMilliseconds(min) && milliseconds <= toMilliseconds(max)) return value;
    report.add(at, `${milliseconds / 1000} s is out of range`, `Use a duration ${range}`);
    return undefined;
  };
}
