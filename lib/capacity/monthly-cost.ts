import type { CapacityUnitsPlan } from './message-shape.ts';
import type { RegionPrices } from './prices.ts';
import { sum } from './steps.ts';
import { SECONDS_PER_MONTH } from './table-plan.ts';
import type { MonthlyCost, TablePlan } from './workload.ts';

/** What the units cost in each billing mode. */
type CapacityCost = Pick<MonthlyCost, 'onDemand' | 'provisioned'>;

const SECONDS_PER_HOUR = 3600;
const HOURS_PER_MONTH = SECONDS_PER_MONTH / SECONDS_PER_HOUR;
const MILLION = 1e6;
const GIGABYTE = 2 ** 30;

export function monthlyCost(
  tables: readonly TablePlan[],
  stored: { readonly bytes: number },
  queueRequests: number,
  prices: RegionPrices,
): MonthlyCost {
  const costs = tables.map((table) => tableCost(table, prices));
  return {
    onDemand: sum(costs, ({ onDemand }) => onDemand),
    provisioned: sum(costs, ({ provisioned }) => provisioned),
    storage: (stored.bytes / GIGABYTE) * prices.perGigabyteMonth,
    queue: (queueRequests / MILLION) * prices.perMillionQueueRequests,
  };
}

/**
 * What the units of one table cost a month, of 730 hours, in each billing mode: US dollars.
 *
 * @example
 * ```ts
 * import { planWorkload, pricesOf, tableCost } from 'sagabox/capacity';
 *
 * const { tables } = planWorkload({ message: { outgoing: 1 }, messagesPerSecond: 10 });
 * const prices = pricesOf('us-east-1');
 * if ('outbox' in tables && tables.outbox && prices) {
 *   const { onDemand, provisioned } = tableCost(tables.outbox, prices);
 * }
 * ```
 */
export function tableCost(
  { onDemand, provisioned: { read, write } }: TablePlan,
  prices: RegionPrices,
): CapacityCost {
  const capacity = { rcu: read.minCapacity, wcu: write.minCapacity };
  return {
    onDemand: requestUnitsPrice(onDemand, prices),
    provisioned: HOURS_PER_MONTH * capacityUnitsPrice(capacity, prices),
  };
}

/** In percent, for this mix of reads and writes. */
export function breakEvenUtilizationPercent(mix: CapacityUnitsPlan, prices: RegionPrices): number {
  const anHour = { rcu: mix.rcu * SECONDS_PER_HOUR, wcu: mix.wcu * SECONDS_PER_HOUR };
  return (100 * capacityUnitsPrice(mix, prices)) / requestUnitsPrice(anHour, prices);
}

function requestUnitsPrice({ rcu, wcu }: CapacityUnitsPlan, prices: RegionPrices): number {
  return (
    (rcu / MILLION) * prices.perMillionReadRequestUnits + (wcu / MILLION) * prices.perMillionWriteRequestUnits
  );
}

/** For an hour. */
function capacityUnitsPrice({ rcu, wcu }: CapacityUnitsPlan, prices: RegionPrices): number {
  return rcu * prices.perReadUnitHour + wcu * prices.perWriteUnitHour;
}
