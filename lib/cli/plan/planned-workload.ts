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

/** Another layout and locking mode of a workload. */
interface Variant {
  readonly layout: NonNullable<MessageShape['layout']>;
  readonly locking: NonNullable<MessageShape['locking']>;
}

/** A variant with its plan, or with what keeps it from having one: not every layout takes every message. */
export type ComparedPlan = Variant & ({ readonly plan: WorkloadPlan } | { readonly problem: string });

/**
 * The workload with records and itemized, and embedded if it is, without and with locks: those that differ.
 * Without an outbox there is one layout, without a saga there is no lock.
 */
export function compareVariants(workload: Workload, prices?: RegionPrices): ComparedPlan[] {
  const { outbox = true, layout = 'records', sagaBytes = 0, locking = 'optimistic' } = workload.message;
  const isEmbedded = layout === 'embedded';
  const layouts = outbox
    ? (['records', ...(isEmbedded ? (['embedded'] as const) : []), 'itemized'] as const)
    : [layout];
  const lockFree = locking === 'pessimistic' ? 'optimistic' : locking;
  const modes = sagaBytes > 0 ? [lockFree, 'pessimistic' as const] : [lockFree];
  const variants = layouts.flatMap((one) => modes.map((mode) => ({ layout: one, locking: mode })));
  return variants.map((variant) => planVariant(workload, variant, prices));
}

export function planVariant(workload: Workload, variant: Variant, prices?: RegionPrices): ComparedPlan {
  const changed = variantOf(workload, variant);
  const checked = checkWorkload(changed, prices && { regions: [prices.region] });
  if ('workload' in checked) return { ...variant, plan: planWorkload(changed, prices && { prices }) };
  return { ...variant, problem: checked.problems[0]?.problem ?? 'cannot be planned' };
}

export function variantOf(workload: Workload, { layout, locking }: Variant): Workload {
  const { lockAttempts, metadataBytes, ...message } = workload.message;
  const isSameLayout = layout === (message.layout ?? 'records');
  return {
    ...workload,
    message: {
      ...message,
      layout,
      locking,
      // These hold for one layout or mode only.
      ...(locking === 'pessimistic' && lockAttempts !== undefined && { lockAttempts }),
      ...(isSameLayout && metadataBytes !== undefined && { metadataBytes }),
    },
  };
}
