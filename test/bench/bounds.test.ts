import { describe, expect, it } from '@jest/globals';
import type {
  BenchmarkFigures,
  ContentionBenchFigures,
  ContentionRound,
  GrowthFigures,
  GrowthPoint,
  OverheadFigures,
  OverheadOfBatch,
} from '../../bench/benchmark-figures.ts';
import type { Case, CostFigures, Figures } from '../../bench/cost/figures.ts';
import { checkBounds } from '../../bench/limits/check-bounds.ts';
import { derivedFigures, type FigureName } from '../../bench/limits/derived-figures.ts';
import { goalOutcomes, goals } from '../../bench/limits/goals.ts';
import type { Limit } from '../../bench/limits/limit.ts';
import { sampleRecord } from './sample-record.ts';

const { date: _date, depth: _depth, machine: _machine, versions: _versions, ...figures } = sampleRecord;

/** The value of a figure in the sample. */
const values: Readonly<Record<FigureName, number>> = {
  wcuN0: 4 / 5,
  wcuN1: 5 / 8,
  wcuN3: 5 / 14,
  wcuN10: 8 / 35,
  rcuN1: 1,
  callsN1: 4 / 6,
  callsBatch10: 13 / 60,
  overheadBatch1: 3 / 4,
  overheadBatch10: 3 / 4,
  allocatedBatch10: 1 / 2,
  bundleKB: 29.9,
  bundleGzipKB: 9.9,
  bundleRatio: 29.9 / 40,
  bundleGzipRatio: 9.9 / 12,
  coldLoad: 6 / 10,
  coldLoadAlone: 1 / 2,
  throughput1: 1.5,
  throughput10: 2,
  throughput50: 2.5,
  appliedOnce: 1,
  appliedTwice: 0,
  deadLettered: 0,
  refusedAttempts: 1 / 10,
  lockedWcu: 1 / 2,
  conflicts: 1 / 10,
  optimisticWcu: 1 / 2,
  outboxUnits: 1,
  outboxCalls: 1,
  outboxTime: 1.1,
  recoveryUnits: 1,
  recoveryCalls: 1,
  stateUnits: 1,
  stateCalls: 1,
};
const partNames = Object.keys(figures) as (keyof BenchmarkFigures)[];
const names = Object.keys(derivedFigures) as FigureName[];

describe('the figures that are judged', () => {
  it.each(names)('%s is made of what was measured', (name) => {
    expect(derivedFigures[name].valueIn(figures)).toBeCloseTo(values[name], 10);
  });

  it('are none of parts that were not measured', () => {
    expect(names.map((name) => derivedFigures[name].valueIn({}))).toEqual(names.map(() => undefined));
    expect(derivedFigures.coldLoad.valueIn({ coldLoadMs: figures.coldLoadMs })).toBe(0.6);
  });

  it('take the worst of the modes of sagabox, and leave those beside it alone', () => {
    const { contention } = figures;
    const value = (changed: Partial<BenchmarkFigures['contention']>) =>
      derivedFigures.appliedTwice.valueIn({ contention: { ...contention, ...changed } });
    expect(value({ eventual: { ...contention.eventual, appliedTwice: 3 } })).toBe(3);
    expect(value({ blindSpin: { ...contention.blindSpin, appliedTwice: 3 } })).toBe(0);
  });

  it('compare the fullest outbox with the emptiest', () => {
    const [few, some, many] = [1, 2, 4].map((wcu) => ({ calls: 4, rcu: 0, wcu, microsPerMessage: 1 }));
    const growth = { ...figures.growth, outboxRecords: { 1000000: many, 900: few, 20000: some } };
    expect(derivedFigures.outboxUnits.valueIn({ growth } as Partial<BenchmarkFigures>)).toBe(4);
  });
});

describe('a bound', () => {
  it.each<[Limit, number, boolean]>([
    [{ atMost: 1.5 }, 1.5, true],
    [{ atMost: 1.5 }, 1.500_001, false],
    [{ atLeast: 1.5 }, 1.5, true],
    [{ atLeast: 1.5 }, 1.499_999, false],
    [{ below: 1.5 }, 1.499_999, true],
    [{ below: 1.5 }, 1.5, false],
    [{ atMost: 1.5 }, Number.NaN, false],
    [{ atLeast: 1.5 }, Number.NaN, false],
  ])('of %j holds for %d: %s', (limit, ratio, holds) => {
    const throughput = { ...figures.throughput, 1: { ...figures.throughput['1'], ratio } };
    const [check] = checkBounds({ throughput }, { throughput1: limit });
    expect(check?.complaint === undefined).toBe(holds);
  });

  it('that is not met is told with the figure and the bound', () => {
    expect(checkBounds(figures, { callsBatch10: { atMost: 0.2 }, deadLettered: { atMost: 0 } })).toEqual([
      {
        name: 'callsBatch10',
        complaint:
          'Calls for a batch of ten messages, N = 1: sagabox / itemized is 0.217, its bound is at most 0.200',
      },
      { name: 'deadLettered', complaint: undefined },
    ]);
  });

  it('of a part that was not measured is not checked', () => {
    const { cost } = figures;
    expect(checkBounds({ cost }).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['wcuN1', 'callsBatch10']),
    );
    expect(checkBounds({})).toEqual([]);
  });
});

describe('the recorded bounds', () => {
  it('are of every part', () => {
    const judged = partNames.map((part) => [part, checkBounds({ [part]: figures[part] }).length > 0]);
    expect(judged).toEqual(partNames.map((part) => [part, true]));
  });

  it.each<[FigureName, Partial<BenchmarkFigures>]>([
    ['wcuN1', { cost: costOf('N=1', { wcu: 6 }) }],
    ['wcuN3', { cost: costOf('N=3', { wcu: 6 }) }],
    ['wcuN10', { cost: costOf('N=10', { wcu: 9 }) }],
    ['callsN1', { cost: costOf('N=1', { calls: 5 }) }],
    ['callsBatch10', { cost: costOf('batch10', { calls: 17 }) }],
    ['overheadBatch10', { overhead: overheadOf({ sagaboxMicros: 4_000 }) }],
    ['bundleKB', { bundle: { ...figures.bundle, sagaboxKB: 500 } }],
    ['bundleGzipKB', { bundle: { ...figures.bundle, sagaboxGzipKB: 500 } }],
    ['coldLoad', { coldLoadMs: { ...figures.coldLoadMs, sagabox: 1_000 } }],
    ['throughput10', { throughput: { ...figures.throughput, 10: { sagabox: 1, itemized: 2, ratio: 0.5 } } }],
    ['appliedOnce', { contention: contentionOf('pessimistic', { appliedOnce: 199 }) }],
    ['appliedTwice', { contention: contentionOf('eventual', { appliedTwice: 1 }) }],
    ['deadLettered', { contention: contentionOf('optimistic', { deadLettered: 1 }) }],
    ['lockedWcu', { contention: contentionOf('pessimistic', { wcuPerMessage: 50 }) }],
    ['outboxUnits', { growth: growthOf({ wcu: 6 }) }],
    ['outboxCalls', { growth: growthOf({ calls: 5 }) }],
  ])('complain of %s when it gets worse', (name, worse) => {
    const complaints = checkBounds(worse).filter(({ complaint }) => complaint !== undefined);
    expect(complaints.map((check) => check.name)).toContain(name);
  });
});

describe('the goals', () => {
  it('are reached by the sample, each at its limit or better', () => {
    const outcomes = goalOutcomes(figures);
    expect(outcomes.map(({ name }) => name)).toEqual(Object.keys(goals));
    expect(outcomes.filter(({ isReached }) => !isReached)).toEqual([]);
  });

  it('that are not reached are told as such', () => {
    const bundle = { ...figures.bundle, sagaboxKB: 30, sagaboxGzipKB: 12 };
    const missed = goalOutcomes({ bundle }).filter(({ isReached }) => !isReached);
    expect(missed.map(({ name, goal, figure }) => [name, goal, figure])).toEqual([
      ['bundleKB', 'below 30.0 kB', '30.0 kB'],
      ['bundleGzipKB', 'below 10.0 kB', '12.0 kB'],
      ['bundleGzipRatio', 'below 1.000', '1.000'],
    ]);
  });
});

function costOf(name: Case, changed: Partial<Figures>): CostFigures {
  const { sagabox, itemized } = figures.cost[name];
  return { ...figures.cost, [name]: { sagabox: { ...sagabox, ...changed }, itemized } };
}

function overheadOf(changed: Partial<OverheadOfBatch>): OverheadFigures {
  const { batch1, batch10 } = figures.overhead;
  return { batch1, batch10: { ...batch10, ...changed } };
}

function contentionOf(
  mode: keyof ContentionBenchFigures,
  changed: Partial<ContentionRound>,
): ContentionBenchFigures {
  return { ...figures.contention, [mode]: { ...figures.contention[mode], ...changed } };
}

/** With another cost at the most records. */
function growthOf(changed: Partial<GrowthPoint>): GrowthFigures {
  const { outboxRecords } = figures.growth;
  const most = { ...(outboxRecords['1000000'] as GrowthPoint), ...changed };
  return { ...figures.growth, outboxRecords: { ...outboxRecords, 1000000: most } };
}
