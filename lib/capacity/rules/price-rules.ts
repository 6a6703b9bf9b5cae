import type { RegionPrices } from '../prices.ts';
import { type ObjectRule, problemsOf } from './field-rules.ts';
import type { Problem } from './problems.ts';

const price = { kind: 'number', minimum: 0, above: true, maximum: 1_000_000 } as const;
const text = { kind: 'text' } as const;

/** A break-even needs prices above nothing. */
export const priceRule = {
  required: [
    'region',
    'asOf',
    'source',
    'perMillionReadRequestUnits',
    'perMillionWriteRequestUnits',
    'perReadUnitHour',
    'perWriteUnitHour',
    'perGigabyteMonth',
    'perMillionQueueRequests',
  ],
  fields: {
    region: text,
    asOf: text,
    source: text,
    perMillionReadRequestUnits: price,
    perMillionWriteRequestUnits: price,
    perReadUnitHour: price,
    perWriteUnitHour: price,
    perGigabyteMonth: price,
    perMillionQueueRequests: price,
  },
} as const satisfies ObjectRule & { fields: Record<keyof RegionPrices, unknown> };

/**
 * Every problem of prices.
 *
 * @param workloadRegion of the workload that they are for, when it names one: prices of another one are a mistake
 */
export function problemsOfPrices(value: unknown, workloadRegion?: unknown, at = 'prices'): Problem[] {
  const problems = problemsOf(value, priceRule, at);
  if (problems.length > 0 || workloadRegion === undefined) return problems;
  const { region } = value as RegionPrices;
  if (region === workloadRegion) return [];
  const problem = `is '${region}', and the region of the workload is '${workloadRegion}'`;
  return [{ path: at === '' ? 'region' : `${at}.region`, problem }];
}
