/** What AWS charges in one region, in US dollars, without free tiers, discounts and taxes. */
export interface RegionPrices {
  readonly region: string;
  /** Year and month in which the figures were true: check them against the price list of today. */
  readonly asOf: string;
  /** The title of where they are from. */
  readonly source: string;
  /** A million request units of tables in on-demand mode. */
  readonly perMillionReadRequestUnits: number;
  readonly perMillionWriteRequestUnits: number;
  /** A capacity unit provisioned for an hour. */
  readonly perReadUnitHour: number;
  readonly perWriteUnitHour: number;
  /** Of tables of the standard class. */
  readonly perGigabyteMonth: number;
  /** Of standard queues. */
  readonly perMillionQueueRequests: number;
}

const asOf = '2025-06';
const source =
  '"Amazon DynamoDB pricing" (standard table class, on-demand prices since 2024-11) and "Amazon SQS pricing" (standard queues)';

/** On-demand read, write, a million; provisioned read, write, an hour; storage; a million SQS requests. */
const figures: Readonly<Record<string, readonly [number, number, number, number, number, number]>> = {
  'us-east-1': [0.125, 0.625, 0.00013, 0.00065, 0.25, 0.4],
  'us-west-2': [0.125, 0.625, 0.00013, 0.00065, 0.25, 0.4],
  'eu-west-1': [0.141, 0.705, 0.000147, 0.000735, 0.283, 0.4],
  'eu-central-1': [0.1525, 0.7625, 0.0001586, 0.000793, 0.306, 0.4],
  'ap-southeast-1': [0.1425, 0.7125, 0.000148, 0.00074, 0.285, 0.4],
};

/** The regions whose prices are known here; pass `prices` to plan for another one. */
export const regions: readonly string[] = Object.keys(figures);

/**
 * The prices as they are known here, of the month in their `asOf`; `undefined` for a region that is not among
 * {@link regions}. They do not follow the price list: check them against it before you rely on them, and pass
 * those that are other as `prices`.
 *
 * @example
 * ```ts
 * import { planWorkload, pricesOf } from 'sagabox/capacity';
 *
 * const published = pricesOf('eu-west-1');
 * if (published) {
 *   const prices = { ...published, perMillionWriteRequestUnits: 0.65, source: 'our contract' };
 *   planWorkload({ message: { outgoing: 1 }, messagesPerSecond: 10 }, { prices });
 * }
 * ```
 */
export function pricesOf(region: string): RegionPrices | undefined {
  const ofRegion = Object.hasOwn(figures, region) ? figures[region] : undefined;
  if (ofRegion === undefined) return undefined;
  const [read, write, readHour, writeHour, storage, queue] = ofRegion;
  return {
    region,
    asOf,
    source,
    perMillionReadRequestUnits: read,
    perMillionWriteRequestUnits: write,
    perReadUnitHour: readHour,
    perWriteUnitHour: writeHour,
    perGigabyteMonth: storage,
    perMillionQueueRequests: queue,
  };
}
