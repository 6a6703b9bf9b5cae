import { formatKB, formatRatio, formatWhole } from '../benchmark/format.ts';
import type {
  BenchmarkFigures,
  BundleFigures,
  ContentionBenchFigures,
  ContentionRound,
  GrowthFigures,
  OverheadFigures,
} from '../benchmark-figures.ts';
import type { Case, CostFigures, Figures } from '../cost/figures.ts';

/** A ratio or a count, made of the figures of one part, that says how sagabox stands. */
export interface DerivedFigure {
  readonly title: string;
  readonly format: (value: number) => string;
  /** Nothing when its part was not measured. */
  readonly valueIn: (figures: Partial<BenchmarkFigures>) => number | undefined;
}

function derived<Part extends keyof BenchmarkFigures>(
  part: Part,
  title: string,
  value: (figures: BenchmarkFigures[Part]) => number,
  format = formatRatio,
): DerivedFigure {
  return {
    title,
    format,
    valueIn(figures) {
      const ofPart: BenchmarkFigures[Part] | undefined = figures[part];
      return ofPart === undefined ? undefined : value(ofPart);
    },
  };
}

export const derivedFigures = {
  wcuN0: derived('cost', 'WCU of one message, N = 0: sagabox / itemized', costRatio('N=0', 'wcu')),
  wcuN1: derived('cost', 'WCU of one message, N = 1: sagabox / itemized', costRatio('N=1', 'wcu')),
  wcuN3: derived('cost', 'WCU of one message, N = 3: sagabox / itemized', costRatio('N=3', 'wcu')),
  wcuN10: derived('cost', 'WCU of one message, N = 10: sagabox / itemized', costRatio('N=10', 'wcu')),
  rcuN1: derived('cost', 'RCU of one message, N = 1: sagabox / itemized', costRatio('N=1', 'rcu')),
  callsN1: derived('cost', 'Calls for one message, N = 1: sagabox / itemized', costRatio('N=1', 'calls')),
  callsBatch10: derived(
    'cost',
    'Calls for a batch of ten messages, N = 1: sagabox / itemized',
    costRatio('batch10', 'calls'),
  ),
  overheadBatch1: derived('overhead', 'Time of one record: sagabox / Powertools', overheadRatio('batch1')),
  overheadBatch10: derived(
    'overhead',
    'Time of a batch of ten records: sagabox / Powertools',
    overheadRatio('batch10'),
  ),
  allocatedBatch10: derived(
    'overhead',
    'Allocations of a batch of ten records: sagabox / Powertools',
    ({ batch10 }) => batch10.sagaboxAllocatedBytes / batch10.powertoolsAllocatedBytes,
  ),
  bundleKB: derived('bundle', 'Bundle, minified', ({ sagaboxKB }) => sagaboxKB, formatKB),
  bundleGzipKB: derived(
    'bundle',
    'Bundle, minified and gzipped',
    ({ sagaboxGzipKB }) => sagaboxGzipKB,
    formatKB,
  ),
  bundleRatio: derived('bundle', 'Bundle, minified: sagabox / Powertools', bundleRatio('KB')),
  bundleGzipRatio: derived(
    'bundle',
    'Bundle, minified and gzipped: sagabox / Powertools',
    bundleRatio('GzipKB'),
  ),
  coldLoad: derived(
    'coldLoadMs',
    'Time to load, with the SDK: sagabox / Powertools',
    ({ sagabox, powertools }) => sagabox / powertools,
  ),
  coldLoadAlone: derived(
    'coldLoadMs',
    'Time to load, without the SDK: sagabox / Powertools',
    ({ withoutSdk }) => withoutSdk.sagabox / withoutSdk.powertools,
  ),
  throughput1: derived(
    'throughput',
    'Messages per second, 1 at a time: sagabox / itemized',
    (of) => of['1'].ratio,
  ),
  throughput10: derived(
    'throughput',
    'Messages per second, 10 at a time: sagabox / itemized',
    (of) => of['10'].ratio,
  ),
  throughput50: derived(
    'throughput',
    'Messages per second, 50 at a time: sagabox / itemized',
    (of) => of['50'].ratio,
  ),
  appliedOnce: derived(
    'contention',
    'Messages that were applied once: the mode of sagabox with the fewest / the most of all',
    (rounds) => {
      const own = [rounds.optimistic, rounds.eventual, rounds.pessimistic];
      const fewest = Math.min(...own.map(({ appliedOnce }) => appliedOnce));
      return fewest / Math.max(...Object.values(rounds).map(({ appliedOnce }) => appliedOnce));
    },
  ),
  appliedTwice: derived(
    'contention',
    'Messages that were applied twice, in any mode of sagabox',
    mostOfModes('appliedTwice'),
    formatWhole,
  ),
  deadLettered: derived(
    'contention',
    'Messages in the dead-letter queue, in any mode of sagabox',
    mostOfModes('deadLettered'),
    formatWhole,
  ),
  refusedAttempts: derived(
    'contention',
    'Refused lock attempts: pessimistic / blind spin',
    contentionRatio('refusedLockAttempts', 'pessimistic', 'blindSpin'),
  ),
  lockedWcu: derived(
    'contention',
    'WCU of one message: pessimistic / blind spin',
    contentionRatio('wcuPerMessage', 'pessimistic', 'blindSpin'),
  ),
  conflicts: derived(
    'contention',
    'Conflicts: optimistic / retry without jitter',
    contentionRatio('conflicts', 'optimistic', 'retryWithoutJitter'),
  ),
  optimisticWcu: derived(
    'contention',
    'WCU of one message: optimistic / retry without jitter',
    contentionRatio('wcuPerMessage', 'optimistic', 'retryWithoutJitter'),
  ),
  outboxUnits: derived(
    'growth',
    'Units of one message, at the most outbox records / at the fewest',
    ({ outboxRecords }) => growth(outboxRecords, unitsOf),
  ),
  outboxCalls: derived(
    'growth',
    'Calls for one message, at the most outbox records / at the fewest',
    ({ outboxRecords }) => growth(outboxRecords, ({ calls }) => calls),
  ),
  outboxTime: derived(
    'growth',
    'Time of one message, at the most outbox records / at the fewest',
    ({ outboxRecords }) => growth(outboxRecords, ({ microsPerMessage }) => microsPerMessage),
  ),
  recoveryUnits: derived(
    'growth',
    'Units of a recovery that finds nothing, at the most outbox records / at the fewest',
    ({ idleRecovery }) => growth(idleRecovery, unitsOf),
  ),
  recoveryCalls: derived(
    'growth',
    'Calls of a recovery that finds nothing, at the most outbox records / at the fewest',
    ({ idleRecovery }) => growth(idleRecovery, ({ calls }) => calls),
  ),
  stateUnits: derived(
    'growth',
    "WCU of one message besides those of the saga's item, at an item of 100 kB / of 1 kB",
    ({ stateKB }) => unitsBesideItem(stateKB['100']) / unitsBesideItem(stateKB['1']),
  ),
  stateCalls: derived(
    'growth',
    'Calls for one message, at an item of 100 kB / of 1 kB',
    ({ stateKB }) => stateKB['100'].calls / stateKB['1'].calls,
  ),
} as const satisfies Record<string, DerivedFigure>;

export type FigureName = keyof typeof derivedFigures;

function costRatio(name: Case, kind: keyof Figures) {
  return (cost: CostFigures) => cost[name].sagabox[kind] / cost[name].itemized[kind];
}

function overheadRatio(batch: keyof OverheadFigures) {
  return (overhead: OverheadFigures) => overhead[batch].sagaboxMicros / overhead[batch].powertoolsMicros;
}

function bundleRatio(kind: 'KB' | 'GzipKB') {
  return (bundle: BundleFigures) => bundle[`sagabox${kind}`] / bundle[`powertools${kind}`];
}

function mostOfModes(kind: keyof ContentionRound) {
  return ({ optimistic, eventual, pessimistic }: ContentionBenchFigures) =>
    Math.max(optimistic[kind], eventual[kind], pessimistic[kind]);
}

function contentionRatio(
  kind: keyof ContentionRound,
  own: keyof ContentionBenchFigures,
  peer: keyof ContentionBenchFigures,
) {
  return (rounds: ContentionBenchFigures) => rounds[own][kind] / rounds[peer][kind];
}

function growth<Point>(byRecords: Readonly<Record<string, Point>>, of: (point: Point) => number): number {
  // Keys that are whole numbers come in their order: fewest records first.
  const values = Object.values(byRecords).map(of);
  return (values.at(-1) ?? Number.NaN) / (values.at(0) ?? Number.NaN);
}

function unitsOf({ rcu, wcu }: Figures): number {
  return rcu + wcu;
}

function unitsBesideItem({ wcu, itemWcu }: GrowthFigures['stateKB']['1']): number {
  return wcu - itemWcu;
}
