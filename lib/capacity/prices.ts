import { priceList, priceRows } from './region-prices.ts';

/** What AWS charges in one region, in US dollars, without free tiers, discounts and taxes. */
export interface RegionPrices {
  readonly region: string;
  /** The day, or the month, in which the figures were true: check them against the price list of today. */
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
  /** Of standard queues: of the first 100 billion requests of a month, after which they cost less. */
  readonly perMillionQueueRequests: number;
  /**
   * Whether `perMillionQueueRequests` is that of most regions, as the list of the region was not at hand.
   *
   * @default false
   */
  readonly estimatedQueuePrice?: boolean;
}

/** The regions whose prices are known here; pass `prices` to plan for another one. */
export const regions: readonly string[] = Object.keys(priceRows);

/** That of most regions whose price is known: it is from 0.36 to 0.476 in all of them. */
const QUEUE_PRICE_ESTIMATE = 0.4;

/**
 * The prices as they are known here, of the day in their `asOf`; `undefined` for a region that is not among
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
  const row = Object.hasOwn(priceRows, region) ? priceRows[region] : undefined;
  if (row === undefined) return undefined;
  const [read, write, readHour, writeHour, storage, queue] = row;
  return {
    region,
    ...priceList,
    perMillionReadRequestUnits: read,
    perMillionWriteRequestUnits: write,
    perReadUnitHour: readHour,
    perWriteUnitHour: writeHour,
    perGigabyteMonth: storage,
    perMillionQueueRequests: queue ?? QUEUE_PRICE_ESTIMATE,
    ...(queue === undefined && { estimatedQueuePrice: true }),
  };
}
