import { planWorkload, type RegionPrices, type Workload, type WorkloadPlan } from '../../capacity/index.ts';
import { comparisonText } from './comparison.ts';
import type { Paint } from './paint.ts';
import { tablesOf } from './tables.ts';
import { planText } from './text.ts';
import { type ComparedPlan, compareVariants } from './variants.ts';

export interface PlannedWorkload {
  readonly workload: Workload;
  readonly plan: WorkloadPlan;
  readonly comparison?: readonly ComparedPlan[];
}

/** @throws SagaboxError `Configuration` for a workload that cannot be */
export function makePlan(workload: Workload, compare: boolean, prices?: RegionPrices): PlannedWorkload {
  const plan = planWorkload(workload, prices && { prices });
  return { workload, plan, ...(compare && { comparison: compareVariants(workload, prices) }) };
}

/** For people. */
export function textOfPlan({ plan, comparison }: PlannedWorkload, paint: Paint): string[] {
  return [...planText(plan, paint), ...(comparison === undefined ? [] : ['', ...comparisonText(comparison)])];
}

/** For `--json`. */
export function objectOfPlan({ workload, plan, comparison }: PlannedWorkload): object {
  const { perMessage, monthlyCost, ...others } = plan;
  return {
    perMessage,
    provisioned: Object.fromEntries(tablesOf(plan).map(([table, { provisioned }]) => [table, provisioned])),
    monthlyCost,
    ...others,
    workload,
    ...(comparison !== undefined && { comparison }),
  };
}
