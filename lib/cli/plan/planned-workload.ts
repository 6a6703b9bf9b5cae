import {
  checkWorkload,
  type MessageShape,
  planWorkload,
  type RegionPrices,
  type Workload,
  type WorkloadPlan,
} from '../../capacity/index.ts';

export interface PlannedWorkload {
  readonly workload: Workload;
  readonly plan: WorkloadPlan;
  /** @default - the public prices of the workload's region */
  readonly prices?: RegionPrices;
  readonly comparison?: readonly ComparedPlan[];
}

/** @throws SagaboxError `Configuration` for a workload that cannot be */
export function makePlan(workload: Workload, compare: boolean, prices?: RegionPrices): PlannedWorkload {
  const plan = planWorkload(workload, prices && { prices });
  const comparison = compare && { comparison: compareVariants(workload, prices) };
  return { workload, plan, ...(prices && { prices }), ...comparison };
}

export type Layout = NonNullable<MessageShape['layout']>;

/** Another layout and locking mode of a workload. */
interface Variant {
  readonly layout: Layout;
  readonly locking: NonNullable<MessageShape['locking']>;
}

/** A variant with its plan, or with what keeps it from having one: not every layout takes every message. */
export type ComparedPlan = Variant & ({ readonly plan: WorkloadPlan } | { readonly problem: string });

/**
 * The workload with records and with an embedded outbox, without and with locks: those that differ. Without an
 * outbox or a saga there is one layout, without a saga there is no lock.
 */
export function compareVariants(workload: Workload, prices?: RegionPrices): ComparedPlan[] {
  const { sagaBytes = 0, locking = 'optimistic' } = workload.message;
  const lockFree = locking === 'pessimistic' ? 'optimistic' : locking;
  const modes = sagaBytes > 0 ? [lockFree, 'pessimistic' as const] : [lockFree];
  const variants = layoutsOf(workload).flatMap((layout) => modes.map((mode) => ({ layout, locking: mode })));
  return variants.map((variant) => planVariant(workload, variant, prices));
}

/** The layouts that a workload can have. */
export function layoutsOf({ message: { outbox = true, sagaBytes = 0 } }: Workload): Layout[] {
  return outbox && sagaBytes > 0 ? ['records', 'embedded'] : ['records'];
}

export function planVariant(workload: Workload, variant: Variant, prices?: RegionPrices): ComparedPlan {
  const changed = variantOf(workload, variant);
  const checked = checkWorkload(changed, prices && { regions: [prices.region] });
  if ('workload' in checked) return { ...variant, plan: planWorkload(changed, prices && { prices }) };
  return { ...variant, problem: checked.problems[0]?.problem ?? 'cannot be planned' };
}

export function variantOf(workload: Workload, { layout, locking }: Variant): Workload {
  const { lockAttempts, ...message } = workload.message;
  return {
    ...workload,
    message: {
      ...message,
      layout,
      locking,
      // Of the pessimistic mode only.
      ...(locking === 'pessimistic' && lockAttempts !== undefined && { lockAttempts }),
    },
  };
}
