import type { BenchRun } from '../benchmark/bench-run.ts';
import type { Case, Figures } from '../cost/figures.ts';
import { itemizedFormulas } from '../cost/itemized-formula.ts';
import { costFigureName } from './cost-figures.ts';
import type { CostFigureName, FigureName } from './derived-figures.ts';
import type { Limit } from './limit.ts';

/**
 * What sagabox may take: what it was measured to take, for any seed of the order data. Only the calls of a
 * batch have room: they are 13, and were 17 at the most, on a busy machine, where those of its messages fall
 * together less well. They would be 22 if any one of reading, sending and marking were not shared any more.
 */
export const costBounds: Readonly<Record<Case, Figures>> = {
  'N=0': { calls: 2, rcu: 2, wcu: 4 },
  'N=1': { calls: 4, rcu: 2, wcu: 5 },
  'N=3': { calls: 4, rcu: 2, wcu: 5 },
  'N=10': { calls: 4, rcu: 2, wcu: 8 },
  'N=3 incompressible': { calls: 4, rcu: 2, wcu: 8 },
  'N=10 incompressible': { calls: 4, rcu: 2, wcu: 17 },
  batch10: { calls: 17, rcu: 20, wcu: 50 },
  discard: { calls: 2, rcu: 2, wcu: 4 },
};

/** The same beside the itemized layout, whose figures are those of its formula, or the measurement fails. */
const costRatios = Object.fromEntries(
  (Object.entries(costBounds) as [Case, Figures][]).flatMap(([name, figures]) =>
    (Object.entries(figures) as [keyof Figures, number][]).map(([kind, bound]) => [
      costFigureName(name, kind),
      { atMost: bound / itemizedFormulas[name][kind] },
    ]),
  ),
) as Record<CostFigureName, Limit>;

/** With the range that was seen, from its best to its worst; a cost has none, since it is always the same. */
export type Bound = Limit & { readonly seen?: readonly [best: number, worst: number] };
/** Of a full run, and of a short one where that tells anything. */
interface BoundByDepth {
  readonly short?: Bound;
  readonly full: Bound;
}

/**
 * What a run fails by when it is worse: ratios and counts, never seconds. Whoever makes a figure better
 * records its bound anew.
 *
 * What does not depend on the machine is held to what was measured: calls, units, losses. Sizes and
 * allocations have a few per cent. Ratios of times, and of what chance decides on, have about 15 per cent
 * more than the worst that was seen: in a full run on a machine of its own; in a short one, whose engines are
 * not warm, also on two cores that another ten processes wanted, as a machine of CI may be. The time to load
 * a bundle has no bound, since loads of some milliseconds differ by more than that: its bytes and the
 * packages of the SDK that it loads have one.
 */
const bounds: Readonly<Record<FigureName, Bound | BoundByDepth>> = {
  ...costRatios,
  callsBatch10: { ...costRatios.callsBatch10, seen: [13 / 60, 17 / 60] },

  // Most on a faster processor, where Powertools gains more.
  overheadBatch1: { short: { atMost: 2.42, seen: [1.056, 2.11] }, full: { atMost: 2, seen: [1.06, 1.73] } },
  overheadBatch10: {
    short: { atMost: 1.75, seen: [0.865, 1.54] },
    full: { atMost: 1.1, seen: [0.87, 0.97] },
  },
  sagaTimeBatch10: { short: { atMost: 5.2, seen: [2.616, 4.54] }, full: { atMost: 3.6, seen: [2.6, 3.33] } },
  allocatedBatch1: { atMost: 1.64, seen: [1.546, 1.62] },
  allocatedBatch10: { atMost: 1.37, seen: [1.288, 1.331] },
  sagaAllocatedBatch10: { atMost: 3.28, seen: [3.125, 3.24] },

  bundleKB: { atMost: 142.5, seen: [112.5, 140.9] },
  bundleGzipKB: { atMost: 49.5, seen: [38.2, 48.8] },
  bundleRatio: { atMost: 2.59, seen: [2.04, 2.55] },
  bundleGzipRatio: { atMost: 3.06, seen: [2.36, 3] },
  sdkLoadedAtOnce: { atMost: 3, seen: [3, 3] },

  // On dynoxide. In short runs other work makes the ratio of many messages at a time higher.
  throughput1: { short: { atLeast: 0.87, seen: [1.29, 1.02] }, full: { atLeast: 1, seen: [1.229, 1.177] } },
  throughput10: {
    short: { atLeast: 1.33, seen: [2.478, 1.57] },
    full: { atLeast: 1.44, seen: [1.743, 1.696] },
  },
  throughput50: {
    short: { atLeast: 1.67, seen: [3.47, 1.97] },
    full: { atLeast: 1.17, seen: [1.533, 1.378] },
  },
  throughput50Default: { full: { atLeast: 1.03, seen: [1.309, 1.212] } },

  appliedOnce: { atLeast: 1, seen: [1, 1] },
  appliedTwice: { atMost: 0, seen: [0, 0] },
  deadLettered: { atMost: 0, seen: [0, 0] },
  refusedAttempts: { atMost: 0.2, seen: [0.036, 0.172] },
  lockedWcu: { atMost: 0.89, seen: [0.504, 0.776] },
  conflicts: { atMost: 0.26, seen: [0.052, 0.226] },
  optimisticWcu: { atMost: 0.43, seen: [0.197, 0.376] },
  // A short run has one round, whose times tell nothing: they differ tenfold from round to round.
  lockedTime: { full: { atMost: 1.05, seen: [0.438, 0.91] } },
  optimisticTime: { full: { atMost: 0.6, seen: [0.07, 0.53] } },

  outboxUnits: { atMost: 1, seen: [1, 1] },
  outboxCalls: { atMost: 1, seen: [1, 1] },
  outboxTime: { short: { atMost: 1.27, seen: [0.7, 1.1] }, full: { atMost: 1.15, seen: [0.982, 1.007] } },
  relayUnits: { atMost: 1, seen: [1, 1] },
  relayCalls: { atMost: 1, seen: [1, 1] },
  // 26 / 2 RCU, 199 / 5 WCU; most of the time on a quiet machine.
  stateRcu: { atMost: 13, seen: [13, 13] },
  stateWcu: { atMost: 39.8, seen: [199 / 5, 199 / 5] },
  stateUnits: { atMost: 1, seen: [1, 1] },
  stateCalls: { atMost: 1, seen: [1, 1] },
  stateTime: { atMost: 2.4, seen: [1.335, 2.091] },
};

/** Of runs of this depth. */
export function boundsOf(depth: BenchRun['depth']): Partial<Record<FigureName, Bound>> {
  const entries = Object.entries(bounds).flatMap(([name, bound]) => {
    const limit = 'full' in bound ? bound[depth] : bound;
    return limit === undefined ? [] : [[name, limit] as const];
  });
  return Object.fromEntries(entries);
}
