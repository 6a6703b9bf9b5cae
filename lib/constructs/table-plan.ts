import {
  type CapacityUnitsPlan,
  planWorkload,
  pricesOf,
  type TablePlan,
  tableCost,
  type Workload,
  type WorkloadPlan,
} from '../capacity/index.ts';
import { SagaboxError } from '../core/errors.ts';

/** Which items a table is made for. */
export type TableRole = 'saga' | 'outbox';

/** What a table has to carry, and what that costs, of all workloads that use it. */
export interface TableWorkloadPlan extends TablePlan {
  /** `shared` when one of the workloads has its sagas and its outbox in the table. */
  readonly table: TableRole | 'shared';
  readonly messagesPerSecond: number;
  /** At the busiest time, which is taken to be the same one for all workloads. */
  readonly peakMessagesPerSecond: number;
  /** Units of this table, on average. */
  readonly perMessage: CapacityUnitsPlan;
  /** US dollars a month for the units of this table; storage and queues are left out. */
  readonly monthlyCost: ReturnType<typeof tableCost>;
  readonly prices: WorkloadPlan['prices'];
}

/**
 * The sum of what the workloads need of a table.
 *
 * @returns nothing when there are no workloads
 * @throws SagaboxError `Configuration` when a workload is none, or has no part that the table takes
 */
export function planTable(workloads: readonly Workload[], role: TableRole): TableWorkloadPlan | undefined {
  const [first, ...others] = partsOf(workloads, role);
  return others.reduce<TableWorkloadPlan | undefined>((sum, part) => sum && sumOf(sum, part), first);
}

/** Of each workload by itself, all at the lowest of their target utilisations: a table has one. */
function partsOf(workloads: readonly Workload[], role: TableRole): TableWorkloadPlan[] {
  const parts = workloads.map((workload, index) => partOf(workload, role, index));
  const targetUtilizationPercent = Math.min(
    ...parts.map(({ provisioned }) => provisioned.targetUtilizationPercent),
  );
  return workloads.map((workload, index) => partOf({ ...workload, targetUtilizationPercent }, role, index));
}

function partOf(workload: Workload, role: TableRole, index: number): TableWorkloadPlan {
  const { tables, prices } = planWorkload(workload);
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
    monthlyCost: costOf(part, prices.region),
    prices,
  };
}

function costOf(part: TablePlan, region: string): TableWorkloadPlan['monthlyCost'] {
  const prices = pricesOf(region);
  if (prices === undefined) throw new TypeError(`A plan for '${region}' has prices`);
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

function sumOf(one: TableWorkloadPlan, other: TableWorkloadPlan): TableWorkloadPlan {
  const messagesPerSecond = one.messagesPerSecond + other.messagesPerSecond;
  const average = sumOfUnits(one.average, other.average);
  return {
    table: one.table === other.table ? one.table : 'shared',
    messagesPerSecond,
    peakMessagesPerSecond: one.peakMessagesPerSecond + other.peakMessagesPerSecond,
    average,
    peak: sumOfUnits(one.peak, other.peak),
    perMessage: perMessage(average, messagesPerSecond),
    provisioned: {
      read: sumOfRanges(one.provisioned.read, other.provisioned.read),
      write: sumOfRanges(one.provisioned.write, other.provisioned.write),
      targetUtilizationPercent: one.provisioned.targetUtilizationPercent,
    },
    onDemand: sumOfUnits(one.onDemand, other.onDemand),
    monthlyCost: {
      onDemand: one.monthlyCost.onDemand + other.monthlyCost.onDemand,
      provisioned: one.monthlyCost.provisioned + other.monthlyCost.provisioned,
    },
    prices: one.prices,
  };
}

type UnitRange = TablePlan['provisioned']['read'];

function sumOfRanges(one: UnitRange, other: UnitRange): UnitRange {
  return { minUnits: one.minUnits + other.minUnits, maxUnits: one.maxUnits + other.maxUnits };
}

function sumOfUnits(one: CapacityUnitsPlan, other: CapacityUnitsPlan): CapacityUnitsPlan {
  return { rcu: one.rcu + other.rcu, wcu: one.wcu + other.wcu };
}

function perMessage({ rcu, wcu }: CapacityUnitsPlan, messagesPerSecond: number): CapacityUnitsPlan {
  return { rcu: rcu / messagesPerSecond, wcu: wcu / messagesPerSecond };
}
