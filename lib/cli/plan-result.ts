import { planWorkload, type Workload, type WorkloadPlan } from '../capacity/index.ts';
import type { Paint } from './charts/paint.ts';
import { comparisonText } from './plan-comparison.ts';
import { tablesOf } from './plan-tables.ts';
import { planHeading, planText } from './plan-text.ts';
import { type ComparedPlan, compareVariants } from './plan-variants.ts';

/** A workload to plan: one of an app has a name. */
export interface NamedWorkload {
  readonly name?: string;
  readonly workload: Workload;
}

export interface NamedPlan extends NamedWorkload {
  readonly plan: WorkloadPlan;
  readonly comparison?: readonly ComparedPlan[];
}

/** @throws SagaboxError `Configuration` for a workload that cannot be */
export function makePlan(named: NamedWorkload, compare: boolean): NamedPlan {
  const plan = planWorkload(named.workload);
  return { ...named, plan, ...(compare && { comparison: compareVariants(named.workload) }) };
}

/** One plan after another, for people. */
export function textOfPlans(plans: readonly NamedPlan[], paint: Paint): string[] {
  return plans.flatMap(({ name, plan, comparison }, index) => [
    ...(index === 0 ? [] : ['']),
    ...(name === undefined ? [] : planHeading(name)),
    ...planText(plan, paint),
    ...(comparison === undefined ? [] : ['', ...comparisonText(comparison)]),
  ]);
}

/** One plan as an object; those of an app as `{ plans: [ … ] }`. */
export function jsonOfPlans(plans: readonly NamedPlan[]): string {
  const [only] = plans;
  const isOne = plans.length === 1 && only !== undefined && only.name === undefined;
  return JSON.stringify(isOne ? objectOf(only) : { plans: plans.map(objectOf) });
}

function objectOf({ name, workload, plan, comparison }: NamedPlan) {
  const { perMessage, monthlyCost, ...others } = plan;
  return {
    ...(name !== undefined && { name }),
    perMessage,
    provisioned: Object.fromEntries(tablesOf(plan).map(([table, { provisioned }]) => [table, provisioned])),
    monthlyCost,
    ...others,
    workload,
    ...(comparison !== undefined && { comparison }),
  };
}
