import { planWorkload, type RegionPrices, type Workload, type WorkloadPlan } from '../../capacity/index.ts';
import { tablesOf } from './tables.ts';
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

/** For `--json`. */
export function objectOfPlan({ workload, plan, comparison }: PlannedWorkload): object {
  const { perMessage, monthlyCost, ...others } = plan;
  const provisioned = tablesOf(plan).map(([table, capacity]) => [table, capacity.provisioned]);
  return {
    ...{ perMessage, provisioned: Object.fromEntries(provisioned), monthlyCost, ...others, workload },
    ...(comparison !== undefined && { comparison }),
  };
}
