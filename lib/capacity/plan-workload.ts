import { anyValue, assertOptionKinds } from '../kernel/checks/checks.ts';
import { problemsError } from '../kernel/checks/problems.ts';
import { defined } from '../kernel/defined.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';
import { keptOutbox } from './kept-outbox.ts';
import { breakEvenUtilizationPercent, monthlyCost } from './monthly-cost.ts';
import { plannedTables } from './planned-tables.ts';
import { pricesOf, type RegionPrices, regions } from './prices.ts';
import { queueRequestsPerDelivery } from './queue-requests.ts';
import { checkWorkload } from './rules/check-workload.ts';
import { problemsOfPrices } from './rules/price-rules.ts';
import { wholeShape } from './shape-defaults.ts';
import { SECONDS_PER_MONTH } from './table-plan.ts';
import type { Workload, WorkloadPlan } from './workload.ts';
import { workloadDefaults } from './workload-defaults.ts';

export interface PlanWorkloadOptions {
  /** @default - the public prices of the workload's region */
  readonly prices?: RegionPrices;
}

/**
 * What a workload takes a second and a month, what to provision for it, and its price.
 *
 * Prices are those of requests, capacity and storage of the outbox records, without free tiers; sagas are
 * stored too, but how many there are does not follow from the workload. Every message by itself: what
 * messages of one batch share makes calls fewer, never units.
 *
 * @throws SagaboxError `Configuration` that lists every problem
 * @example
 * ```ts
 * import { planWorkload } from 'sagabox/capacity';
 *
 * const plan = planWorkload({
 *   message: { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 },
 *   messagesPerSecond: 200,
 *   peakMessagesPerSecond: 600,
 *   region: 'eu-west-1',
 * });
 * console.log(plan.monthlyCost.onDemand, plan.monthlyCost.provisioned, plan.breakEvenUtilizationPercent);
 * ```
 */
export function planWorkload(workload: Workload, options: PlanWorkloadOptions = {}): WorkloadPlan {
  assertOptionKinds('planWorkload', options, { prices: anyValue }, { page: 'docs/reference/capacity.md' });
  const prices = assertPlannable(workload, options.prices);
  const { messagesPerSecond } = workload;
  const { batchSize } = { ...workloadDefaults, ...defined(workload) };
  const shape = wholeShape(workload.message);
  const { message, tables } = plannedTables(workload);
  const outbox = keptOutbox(workload, message);
  const queueRequests = queueRequestsPerDelivery(shape, batchSize) * messagesPerSecond * SECONDS_PER_MONTH;
  const { region, asOf, source, estimatedQueuePrice = false } = prices;
  return {
    message,
    perMessage: message.perMessage,
    tables,
    outbox,
    queueRequests,
    monthlyCost: monthlyCost(Object.values(tables), outbox, queueRequests, prices),
    breakEvenUtilizationPercent: breakEvenUtilizationPercent(message.perMessage, prices),
    prices: { region, asOf, source, ...(estimatedQueuePrice && { estimatedQueuePrice }) },
  };
}

function assertPlannable(workload: Workload, prices: RegionPrices | undefined): RegionPrices {
  const ofPrices = prices === undefined ? [] : problemsOfPrices(prices, workload?.region);
  const known = isJsonObject(prices) ? [...regions, prices.region as string] : regions;
  const checked = checkWorkload(workload, { regions: known });
  const problems = [...('problems' in checked ? checked.problems : []), ...ofPrices];
  const region = workload?.region ?? workloadDefaults.region;
  const found = prices ?? pricesOf(region);
  if (problems.length > 0 || found === undefined) {
    throw problemsError('The workload', problems, { cause: 'cause' in checked ? checked.cause : undefined });
  }
  return found;
}
