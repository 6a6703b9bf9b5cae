import type {
  BenchmarkFigures,
  ContentionBenchFigures,
  ContentionRound,
  GrowthFigures,
  OverheadFigures,
  OverheadOfBatch,
} from '../../bench/benchmark/benchmark-figures.ts';
import { cases, type Figures } from '../../bench/cost/figures.ts';
import { wcuOfMessage } from '../../bench/limits/contention-figures.ts';
import { costFigureName } from '../../bench/limits/cost-figures.ts';
import type { FigureName } from '../../bench/limits/derived-figures.ts';

/** Figures of which the named one has the value; what it is not made of is that of the sample. */
export function figuresWhere(
  name: FigureName,
  value: number,
  sample: BenchmarkFigures,
): Partial<BenchmarkFigures> {
  const { cost, overhead, bundle, coldLoadMs, throughput, contention, growth } = sample;

  for (const one of cases) {
    for (const kind of ['calls', 'rcu', 'wcu'] as const satisfies (keyof Figures)[]) {
      if (costFigureName(one, kind) !== name) continue;
      const { sagabox, itemized } = cost[one];
      return {
        cost: { ...cost, [one]: { sagabox: { ...sagabox, [kind]: value * itemized[kind] }, itemized } },
      };
    }
  }

  const ofBatch = (
    batch: keyof OverheadFigures,
    own: keyof OverheadOfBatch,
    peer: keyof OverheadOfBatch,
  ) => ({
    overhead: { ...overhead, [batch]: { ...overhead[batch], [own]: value * overhead[batch][peer] } },
  });
  const atATime = (count: '1' | '10' | '50') => ({
    throughput: { ...throughput, [count]: { ...throughput[count], ratio: value } },
  });
  const round = (mode: keyof ContentionBenchFigures, changed: Partial<ContentionRound>) => ({
    contention: { ...contention, [mode]: { ...contention[mode], ...changed } },
  });
  const locked = (kind: keyof ContentionRound) =>
    round('pessimistic', { [kind]: value * contention.blindSpin[kind] });
  const optimistic = (kind: keyof ContentionRound) =>
    round('optimistic', { [kind]: value * contention.retryWithoutJitter[kind] });
  const writtenUnits = (peer: keyof ContentionBenchFigures) => ({
    wcuPerMessage: value * wcuOfMessage(contention[peer]),
    refusedWcuPerMessage: 0,
  });
  const most = <Key extends 'outboxRecords' | 'idleRelay'>(
    key: Key,
    of: (point: GrowthFigures[Key][string]) => object,
  ) => {
    const [fewest, records] = Object.keys(growth[key]) as [string, string];
    const point = growth[key][fewest] as GrowthFigures[Key][string];
    return { growth: { ...growth, [key]: { ...growth[key], [records]: { ...point, ...of(point) } } } };
  };
  const large = (of: (point: GrowthFigures['stateKB']['1']) => object) => {
    const { stateKB } = growth;
    return { growth: { ...growth, stateKB: { ...stateKB, 100: { ...stateKB['1'], ...of(stateKB['1']) } } } };
  };

  const made: Partial<Record<FigureName, () => Partial<BenchmarkFigures>>> = {
    overheadBatch1: () => ofBatch('batch1', 'sagaboxMicros', 'powertoolsMicros'),
    overheadBatch10: () => ofBatch('batch10', 'sagaboxMicros', 'powertoolsMicros'),
    sagaTimeBatch10: () => ofBatch('batch10', 'sagaboxSagaMicros', 'powertoolsMicros'),
    allocatedBatch1: () => ofBatch('batch1', 'sagaboxAllocatedBytes', 'powertoolsAllocatedBytes'),
    allocatedBatch10: () => ofBatch('batch10', 'sagaboxAllocatedBytes', 'powertoolsAllocatedBytes'),
    sagaAllocatedBatch10: () => ofBatch('batch10', 'sagaboxSagaAllocatedBytes', 'powertoolsAllocatedBytes'),
    bundleKB: () => ({ bundle: { ...bundle, sagaboxKB: value } }),
    bundleGzipKB: () => ({ bundle: { ...bundle, sagaboxGzipKB: value } }),
    bundleRatio: () => ({ bundle: { ...bundle, sagaboxKB: value * bundle.powertoolsKB } }),
    bundleGzipRatio: () => ({ bundle: { ...bundle, sagaboxGzipKB: value * bundle.powertoolsGzipKB } }),
    sdkLoadedAtOnce: () => {
      const sagabox = Array.from({ length: Math.ceil(value) }, (_, index) => `@aws-sdk/client-${index}`);
      return { coldLoadMs: { ...coldLoadMs, sdkLoadedAtOnce: { ...coldLoadMs.sdkLoadedAtOnce, sagabox } } };
    },
    throughput1: () => atATime('1'),
    throughput10: () => atATime('10'),
    throughput50: () => atATime('50'),
    throughput50Default: () => {
      const { 50: fifty } = throughput;
      const sagaboxDefaultConcurrency = value * fifty.itemized;
      return { throughput: { ...throughput, 50: { ...fifty, sagaboxDefaultConcurrency } } };
    },
    appliedOnce: () => round('pessimistic', { appliedOnce: value * contention.pessimistic.messages }),
    appliedTwice: () => round('eventual', { appliedTwice: value }),
    deadLettered: () => round('optimistic', { deadLettered: value }),
    refusedAttempts: () => locked('refusedLockAttempts'),
    lockedWcu: () => round('pessimistic', writtenUnits('blindSpin')),
    lockedTime: () => locked('seconds'),
    conflicts: () => optimistic('conflicts'),
    optimisticWcu: () => round('optimistic', writtenUnits('retryWithoutJitter')),
    optimisticTime: () => optimistic('seconds'),
    outboxUnits: () => most('outboxRecords', ({ rcu, wcu }) => ({ wcu: value * (rcu + wcu) - rcu })),
    outboxCalls: () => most('outboxRecords', ({ calls }) => ({ calls: value * calls })),
    outboxTime: () =>
      most('outboxRecords', ({ microsPerMessage }) => ({ microsPerMessage: value * microsPerMessage })),
    relayUnits: () => most('idleRelay', ({ rcu, wcu }) => ({ rcu: value * (rcu + wcu) - wcu })),
    relayCalls: () => most('idleRelay', ({ calls }) => ({ calls: value * calls })),
    stateRcu: () => large(({ rcu }) => ({ rcu: value * rcu })),
    stateWcu: () => large(({ wcu }) => ({ wcu: value * wcu })),
    stateUnits: () => large(({ wcu, itemWcu }) => ({ wcu: itemWcu + value * (wcu - itemWcu) })),
    stateCalls: () => large(({ calls }) => ({ calls: value * calls })),
    stateTime: () => large(({ microsPerMessage }) => ({ microsPerMessage: value * microsPerMessage })),
  };
  const figures = made[name]?.();
  if (figures === undefined) throw new Error(`Nothing is known of what ${name} is made of`);
  return figures;
}
