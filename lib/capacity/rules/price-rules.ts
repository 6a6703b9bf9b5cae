import { numberIn } from '../../kernel/checks/bounds.ts';
import {
  aNonEmptyString,
  type Check,
  objectOf,
  problemsOf,
  trueOrFalse,
} from '../../kernel/checks/checks.ts';
import type { Problem } from '../../kernel/checks/problems.ts';
import type { RegionPrices } from '../prices.ts';

// A break-even needs prices above 0.
const price = numberIn({ min: 0, max: 1_000_000, fractions: true, excludes: 'min' });
const checks = {
  region: aNonEmptyString,
  asOf: aNonEmptyString,
  source: aNonEmptyString,
  perMillionReadRequestUnits: price,
  perMillionWriteRequestUnits: price,
  perReadUnitHour: price,
  perWriteUnitHour: price,
  perGigabyteMonth: price,
  perMillionQueueRequests: price,
  estimatedQueuePrice: trueOrFalse,
} satisfies Record<keyof RegionPrices, Check>;
const { estimatedQueuePrice: _optional, ...required } = checks;
const pricesCheck = objectOf(checks, { needs: Object.keys(required) });

/**
 * Every problem of prices.
 *
 * @param workloadRegion if the workload has one: the prices must be of that region
 */
export function problemsOfPrices(
  value: unknown,
  workloadRegion?: unknown,
  at = 'prices',
): readonly Problem[] {
  const problems = problemsOf(pricesCheck, value, at);
  if (problems.length > 0 || workloadRegion === undefined) return problems;
  const { region } = value as RegionPrices;
  if (region === workloadRegion) return [];
  const problem = `it is '${region}', and the region of the workload is '${workloadRegion}'`;
  return [{ at: at === '' ? 'region' : `${at}.region`, problem, remedy: 'Give the prices of that region' }];
}
