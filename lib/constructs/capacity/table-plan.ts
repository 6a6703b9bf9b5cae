import {
  planWorkload,
  pricesOf,
  type RegionPrices,
  tableCost,
  type Workload,
  type WorkloadPlan,
} from '../../capacity/index.ts';
import type { CapacityUnitsPlan } from '../../capacity/message-shape.ts';
import { sum, sumOfUnits } from '../../capacity/steps.ts';
import type { TablePlan } from '../../capacity/workload.ts';
import { defined } from '../../kernel/defined.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { UnitRange } from './autoscaled-capacity.ts';

/** Which items a table is made for. */
export type TableRole = 'saga' | 'outbox' | 'shared';

/** What a table has to carry, and what that costs, of all workloads that use it. */
export interface TableWorkloadPlan extends TablePlan {
  /** `shared` when one of the workloads has its sagas and its outbox in the table. */
  readonly table: TableRole;
  readonly messagesPerSecond: number;
  /** At the busiest time, which is taken to be the same one for all workloads. */
  readonly peakMessagesPerSecond: number;
  /** Units of this table on average. */
  readonly perMessage: CapacityUnitsPlan;
  /** US dollars a month for the units of this table; storage and queues are left out. */
  readonly monthlyCost: ReturnType<typeof tableCost>;
  readonly prices: WorkloadPlan['prices'];
}

/** What one workload needs of the table. */
interface Part {
  readonly plan: TablePlan;
  readonly isShared: boolean;
  readonly prices: WorkloadPlan['prices'];
}

/**
 * The sum of what the workloads need of a table.
 *
 * @returns `undefined` without workloads
 * @throws SagaboxError `Configuration` when a workload has no part that the table takes
 */
export function planTable(
  workloads: readonly Workload[],
  role: TableRole,
  given?: RegionPrices,
): TableWorkloadPlan | undefined {
  const parts = partsOf(workloads, role, given);
  const [first] = parts;
  if (first === undefined) return undefined;
  const table = sumOfTables(parts.map(({ plan }) => plan));
  const { prices } = first;
  const regionPrices = given ?? pricesOf(prices.region);
  if (regionPrices === undefined) throw new TypeError('A plan has prices');
  const messagesPerSecond = sum(workloads, (workload) => workload.messagesPerSecond);
  return {
    ...table,
    table: parts.some(({ isShared }) => isShared) ? 'shared' : role,
    messagesPerSecond,
    peakMessagesPerSecond: sum(workloads, (each) => each.peakMessagesPerSecond ?? each.messagesPerSecond),
    perMessage: { rcu: table.average.rcu / messagesPerSecond, wcu: table.average.wcu / messagesPerSecond },
    monthlyCost: tableCost(table, regionPrices),
    prices,
  };
}

/** All at the lowest of their target utilizations: a table has one. */
function partsOf(workloads: readonly Workload[], role: TableRole, given: RegionPrices | undefined): Part[] {
  const planAll = (target: Pick<Workload, 'targetUtilizationPercent'>) =>
    workloads.map((workload, index) => partOf({ ...workload, ...target }, role, index, given));
  const targets = planAll({}).map(({ plan }) => plan.provisioned.targetUtilizationPercent);
  return planAll({ targetUtilizationPercent: Math.min(...targets) });
}

function partOf(workload: Workload, role: TableRole, index: number, given: RegionPrices | undefined): Part {
  const { tables, prices } = planWorkload(workload, defined({ prices: given }));
  const isShared = 'shared' in tables;
  const plan = isShared ? tables.shared : role === 'shared' ? undefined : tables[role];
  if (plan !== undefined) return { plan, isShared, prices };
  const [kind, remedy] =
    role === 'saga'
      ? ['sagas', 'Say how large they are by message.sagaBytes']
      : ['outbox', 'Leave message.outbox out'];
  throw new SagaboxError('Configuration', {
    setting: `capacity.workload[${index}]`,
    problem: `it has no ${kind}, so that this table has nothing to do for it`,
    remedy: `${remedy}, or leave the workload out`,
  });
}

/** Of plans with one target utilization. */
function sumOfTables(plans: readonly TablePlan[]): TablePlan {
  const provisioned = plans.map((plan) => plan.provisioned);
  const rangeOf = (side: 'read' | 'write'): UnitRange => ({
    minCapacity: sum(provisioned, ({ [side]: range }) => range.minCapacity),
    maxCapacity: sum(provisioned, ({ [side]: range }) => range.maxCapacity),
  });
  return {
    average: sumOfUnits(plans.map(({ average }) => average)),
    peak: sumOfUnits(plans.map(({ peak }) => peak)),
    provisioned: {
      read: rangeOf('read'),
      write: rangeOf('write'),
      targetUtilizationPercent: Math.min(...provisioned.map((each) => each.targetUtilizationPercent)),
    },
    onDemand: sumOfUnits(plans.map(({ onDemand }) => onDemand)),
  };
}
