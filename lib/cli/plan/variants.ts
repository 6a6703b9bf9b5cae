import {
  checkWorkload,
  type MessageShape,
  planWorkload,
  type RegionPrices,
  type Workload,
  type WorkloadPlan,
} from '../../capacity/index.ts';

type Layout = NonNullable<MessageShape['layout']>;
type Locking = NonNullable<MessageShape['locking']>;

/** The workload with another layout or another locking mode. */
export interface Variant {
  readonly layout: Layout;
  readonly locking: Locking;
  readonly workload: Workload;
}

/**
 * The workload packed and itemized, without and with locks: those of the four that differ.
 * Without an outbox there is one layout, without a saga there is no lock.
 */
export function variantsOf(workload: Workload): Variant[] {
  const { outbox = true, sagaBytes = 0, locking = 'optimistic' } = workload.message;
  const layouts: readonly Layout[] = outbox ? ['packed', 'itemized'] : [workload.message.layout ?? 'packed'];
  const lockFree = locking === 'pessimistic' ? 'optimistic' : locking;
  const modes: readonly Locking[] = sagaBytes > 0 ? [lockFree, 'pessimistic'] : [lockFree];
  return layouts.flatMap((layout) => modes.map((mode) => variantOf(workload, layout, mode)));
}

export function variantOf(workload: Workload, layout: Layout, locking: Locking): Variant {
  const { lockAttempts, metadataBytes, ...message } = workload.message;
  return {
    layout,
    locking,
    workload: {
      ...workload,
      message: {
        ...message,
        layout,
        locking,
        // These hold for one layout or mode only.
        ...(locking === 'pessimistic' && lockAttempts !== undefined && { lockAttempts }),
        ...(layout === (workload.message.layout ?? 'packed') &&
          metadataBytes !== undefined && { metadataBytes }),
      },
    },
  };
}

/** A variant with its plan, or with what keeps it from having one: not every layout takes every message. */
export type ComparedPlan = Omit<Variant, 'workload'> &
  ({ readonly plan: WorkloadPlan } | { readonly problem: string });

export function compareVariants(workload: Workload, prices?: RegionPrices): ComparedPlan[] {
  return variantsOf(workload).map(({ layout, locking, workload: variant }) => {
    const checked = checkWorkload(variant, prices && { regions: [prices.region] });
    if ('workload' in checked) return { layout, locking, plan: planWorkload(variant, prices && { prices }) };
    const [first] = checked.problems;
    return { layout, locking, problem: first?.problem ?? 'cannot be planned' };
  });
}
