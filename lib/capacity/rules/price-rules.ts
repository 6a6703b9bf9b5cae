import type * as v from 'valibot';
import type { RegionPrices } from '../prices.ts';
import { boolean, object, positiveNumber, problemsOf, string } from './fields.ts';
import type { Problem } from './problems.ts';

// A break-even needs prices above 0.
const price = positiveNumber(1_000_000);
const fields: Record<keyof RegionPrices, v.GenericSchema> = {
  region: string,
  asOf: string,
  source: string,
  perMillionReadRequestUnits: price,
  perMillionWriteRequestUnits: price,
  perReadUnitHour: price,
  perWriteUnitHour: price,
  perGigabyteMonth: price,
  perMillionQueueRequests: price,
  estimatedQueuePrice: boolean,
};
const { estimatedQueuePrice: _optional, ...required } = fields;
const pricesSchema = object(fields, Object.keys(required));

/**
 * Every problem of prices.
 *
 * @param workloadRegion if the workload has one: the prices must be of that region
 */
export function problemsOfPrices(value: unknown, workloadRegion?: unknown, at = 'prices'): Problem[] {
  const problems = problemsOf(pricesSchema, value, at);
  if (problems.length > 0 || workloadRegion === undefined) return problems;
  const { region } = value as RegionPrices;
  if (region === workloadRegion) return [];
  const problem = `is '${region}', and the region of the workload is '${workloadRegion}'`;
  return [{ path: at === '' ? 'region' : `${at}.region`, problem }];
}
