import type { PriceRow } from '../../lib/capacity/region-prices.ts';

/** The parts of a file of the price list that prices are found by. Source: "Reading the service price list file". */
export interface PriceListFile {
  readonly publicationDate: string;
  readonly products: Readonly<
    Record<
      string,
      { readonly productFamily?: string; readonly attributes: Readonly<Record<string, string | undefined>> }
    >
  >;
  readonly terms: {
    readonly OnDemand: Readonly<
      Record<string, Readonly<Record<string, { readonly priceDimensions: Readonly<Record<string, Tier>> }>>>
    >;
  };
}

interface Tier {
  readonly beginRange: string;
  readonly pricePerUnit: { readonly USD?: string };
}

interface Wanted {
  readonly productFamily: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const perRequest = 'Amazon DynamoDB PayPerRequest Throughput';
const perHour = 'Provisioned IOPS';
const reads = { group: 'DDB-ReadUnits' };
const writes = { group: 'DDB-WriteUnits' };
const storage = { volumeType: 'Amazon DynamoDB - Indexed DataStore' };
const queue = { group: 'SQS-APIRequest-Tier1', queueType: 'Standard' };

/** What a region charges, of its two files. */
export function priceRow(dynamoDB: PriceListFile, sqs: PriceListFile): PriceRow {
  const million = (price: number) => Number((price * 1e6).toPrecision(12));
  return [
    million(priceOf(dynamoDB, { productFamily: perRequest, attributes: reads })),
    million(priceOf(dynamoDB, { productFamily: perRequest, attributes: writes })),
    priceOf(dynamoDB, { productFamily: perHour, attributes: reads }),
    priceOf(dynamoDB, { productFamily: perHour, attributes: writes }),
    priceOf(dynamoDB, { productFamily: 'Database Storage', attributes: storage }),
    million(priceOf(sqs, { productFamily: 'API Request', attributes: queue })),
  ];
}

/** Of the first tier that costs something: free tiers are left out. */
function priceOf({ products, terms }: PriceListFile, wanted: Wanted): number {
  const found = Object.entries(products).filter(
    ([, { productFamily, attributes }]) =>
      productFamily === wanted.productFamily &&
      Object.entries(wanted.attributes).every(([name, value]) => attributes[name] === value),
  );
  const [first, ...others] = found;
  if (first === undefined || others.length > 0)
    throw new Error(
      `${found.length} products are ${JSON.stringify(wanted)}: has the form of the list changed?`,
    );
  const tiers = Object.values(terms.OnDemand[first[0]] ?? {})
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
    .map(({ beginRange, pricePerUnit: { USD = '0' } }) => ({ from: Number(beginRange), price: Number(USD) }))
    .filter(({ price }) => price > 0)
    .toSorted((a, b) => a.from - b.from);
  if (tiers[0] === undefined) throw new Error(`${JSON.stringify(wanted)} has no price`);
  return tiers[0].price;
}

/** The lines of the rows that are not as the list has them, ready to paste; a row that was never known too. */
export function differingRows(
  known: Readonly<Record<string, PriceRow>>,
  listed: Readonly<Record<string, PriceRow>>,
): string[] {
  return Object.entries(listed)
    .filter(([region, row]) => JSON.stringify(known[region]) !== JSON.stringify(row))
    .map(([region, row]) => `  '${region}': [${row.join(', ')}],`);
}

/** Regions of the price list that are no commercial ones: other partitions. */
export function isCommercial(region: string): boolean {
  return !/^(cn|us-gov|us-iso|eu-isoe|eusc)/.test(region);
}
