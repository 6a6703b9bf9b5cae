import {
  planWorkload,
  pricesOf,
  type RegionPrices,
  tableCost,
  type Workload,
  type WorkloadPlan,
} from '../../capacity/index.ts';
import type { CapacityUnitsPlan } from '../../capacity/message-shape.ts';
import type { CapacityPlan, TablePlan } from '../../capacity/workload.ts';
import { SagaboxError } from '../../core/failures/errors.ts';

/** Which items a table is made for. */
export type TableRole = 'saga' | 'outbox';

/** What a table has to carry, and what that costs, of all workloads that use it. */
export interface TableWorkloadPlan extends TablePlan {
  /** `shared` when one of the workloads has its sagas and its outbox in the table. */
  readonly table: TableRole | 'shared';
  readonly messagesPerSecond: number;
  /** At the busiest time, which is taken to be the same one for all workloads. */
  readonly peakMessagesPerSecond: number;
  /** Units of this table, without its index, on average. */
  readonly perMessage: CapacityUnitsPlan;
  /** US dollars a month for the units of this table and its index; storage and queues are left out. */
  readonly monthlyCost: ReturnType<typeof tableCost>;
  readonly prices: WorkloadPlan['prices'];
}

/**
 * The sum of what the workloads need of a table.
 *
 * @returns nothing when there are no workloads
 * @throws SagaboxError `Configuration` when a workload is none, or has no part that the table takes
 */
export function planTable(
  workloads: readonly Workload[],
  role: TableRole,
  prices?: RegionPrices,
): TableWorkloadPlan | undefined {
  const [first, ...others] = partsOf(workloads, role, prices);
  return others.reduce<TableWorkloadPlan | undefined>((sum, part) => sum && sumOf(sum, part, prices), first);
}

/** Of each workload by itself, all at the lowest of their target utilisations: a table has one. */
function partsOf(
  workloads: readonly Workload[],
  role: TableRole,
  prices: RegionPrices | undefined,
): TableWorkloadPlan[] {
  const parts = workloads.map((workload, index) => partOf(workload, role, index, prices));
  const targetUtilizationPercent = Math.min(
    ...parts.map(({ provisioned }) => provisioned.targetUtilizationPercent),
  );
  return workloads.map((workload, index) =>
    partOf({ ...workload, targetUtilizationPercent }, role, index, prices),
  );
}

function partOf(
  workload: Workload,
  role: TableRole,
  index: number,
  given: RegionPrices | undefined,
): TableWorkloadPlan {
  const { tables, prices } = planWorkload(workload, given && { prices: given });
  const isShared = 'shared' in tables;
  const part = isShared ? tables.shared : tables[role];
  if (part === undefined) throw hasNoPart(role, index);
  const { messagesPerSecond, peakMessagesPerSecond = messagesPerSecond } = workload;
  return {
    ...part,
    table: isShared ? 'shared' : role,
    messagesPerSecond,
    peakMessagesPerSecond,
    perMessage: perMessage(part.average, messagesPerSecond),
    monthlyCost: costOf(part, given ?? pricesOf(prices.region)),
    prices,
  };
}

function costOf(part: TablePlan, prices: RegionPrices | undefined): TableWorkloadPlan['monthlyCost'] {
  if (prices === undefined) throw new TypeError('A plan has prices');
  return tableCost(part, prices);
}

function hasNoPart(role: TableRole, index: number): SagaboxError<'Configuration'> {
  const [kind, remedy] =
    role === 'saga'
      ? ['sagas', 'Say how large they are by message.sagaBytes']
      : ['outbox', 'Leave message.outbox out'];
  return new SagaboxError('Configuration', {
    setting: `capacity.workload[${index}]`,
    problem: `it has no ${kind}, so that this table has nothing to do for it`,
    remedy: `${remedy}, or leave the workload out`,
  });
}

function sumOf(
  one: TableWorkloadPlan,
  other: TableWorkloadPlan,
  given: RegionPrices | undefined,
): TableWorkloadPlan {
  const messagesPerSecond = one.messagesPerSecond + other.messagesPerSecond;
  const index = sumOfIndexes(one.index, other.index);
  const table = {
    ...sumOfCapacity(one, other),
    ...(index === undefined ? {} : { index }),
  };
  return {
    ...table,
    table: one.table === other.table ? one.table : 'shared',
    messagesPerSecond,
    peakMessagesPerSecond: one.peakMessagesPerSecond + other.peakMessagesPerSecond,
    perMessage: perMessage(table.average, messagesPerSecond),
    monthlyCost: costOf(table, given ?? pricesOf(one.prices.region)),
    prices: one.prices,
  };
}

function sumOfCapacity(one: CapacityPlan, other: CapacityPlan): CapacityPlan {
  return {
    average: sumOfUnits(one.average, other.average),
    peak: sumOfUnits(one.peak, other.peak),
    provisioned: {
      read: sumOfRanges(one.provisioned.read, other.provisioned.read),
      write: sumOfRanges(one.provisioned.write, other.provisioned.write),
      targetUtilizationPercent: one.provisioned.targetUtilizationPercent,
    },
    onDemand: sumOfUnits(one.onDemand, other.onDemand),
  };
}

/** The searches of several relays take no more than is there for those of one. */
function sumOfIndexes(
  one: CapacityPlan | undefined,
  other: CapacityPlan | undefined,
): CapacityPlan | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const index = sumOfCapacity(one, other);
  return { ...index, provisioned: { ...index.provisioned, read: one.provisioned.read } };
}

type UnitRange = CapacityPlan['provisioned']['read'];

function sumOfRanges(one: UnitRange, other: UnitRange): UnitRange {
  return {
    minCapacity: one.minCapacity + other.minCapacity,
    maxCapacity: one.maxCapacity + other.maxCapacity,
  };
}

function sumOfUnits(one: CapacityUnitsPlan, other: CapacityUnitsPlan): CapacityUnitsPlan {
  return { rcu: one.rcu + other.rcu, wcu: one.wcu + other.wcu };
}

function perMessage({ rcu, wcu }: CapacityUnitsPlan, messagesPerSecond: number): CapacityUnitsPlan {
  return { rcu: rcu / messagesPerSecond, wcu: wcu / messagesPerSecond };
}
