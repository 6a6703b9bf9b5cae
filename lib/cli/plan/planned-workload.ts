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
  readonly comparison?: readonly ComparedPlan[];
}

/** @throws SagaboxError `Configuration` for a workload that cannot be */
export function makePlan(workload: Workload, compare: boolean, prices?: RegionPrices): PlannedWorkload {
  const plan = planWorkload(workload, prices && { prices });
  return { workload, plan, ...(compare && { comparison: compareVariants(workload, prices) }) };
}

/** Another layout and locking mode of a workload. */
interface Variant {
  readonly layout: NonNullable<MessageShape['layout']>;
  readonly locking: NonNullable<MessageShape['locking']>;
}

/** A variant with its plan, or with what keeps it from having one: not every layout takes every message. */
export type ComparedPlan = Variant & ({ readonly plan: WorkloadPlan } | { readonly problem: string });

/**
 * The workload packed and itemized, without and with locks: those of the four that differ.
 * Without an outbox there is one layout, without a saga there is no lock.
 */
export function compareVariants(workload: Workload, prices?: RegionPrices): ComparedPlan[] {
  const { outbox = true, layout = 'packed', sagaBytes = 0, locking = 'optimistic' } = workload.message;
  const layouts = outbox ? (['packed', 'itemized'] as const) : [layout];
  const lockFree = locking === 'pessimistic' ? 'optimistic' : locking;
  const modes = sagaBytes > 0 ? [lockFree, 'pessimistic' as const] : [lockFree];
  const variants = layouts.flatMap((one) => modes.map((mode) => ({ layout: one, locking: mode })));
  return variants.map((variant) => {
    const changed = variantOf(workload, variant);
    const checked = checkWorkload(changed, prices && { regions: [prices.region] });
    if ('workload' in checked) return { ...variant, plan: planWorkload(changed, prices && { prices }) };
    return { ...variant, problem: checked.problems[0]?.problem ?? 'cannot be planned' };
  });
}

export function variantOf(workload: Workload, { layout, locking }: Variant): Workload {
  const { lockAttempts, metadataBytes, ...message } = workload.message;
  const isSameLayout = layout === (message.layout ?? 'packed');
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
