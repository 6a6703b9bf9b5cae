import type { ObjectRule } from './field-rules.ts';
import type { RegionPrices } from './prices.ts';

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
