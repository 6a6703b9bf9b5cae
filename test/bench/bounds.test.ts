import { describe, expect, it } from '@jest/globals';
import type { BenchRun } from '../../bench/benchmark/bench-run.ts';
import type { BenchmarkFigures } from '../../bench/benchmark/benchmark-figures.ts';
import { readRecord } from '../../bench/benchmark/record-file.ts';
import { cases, type Figures } from '../../bench/cost/figures.ts';
import { itemizedFormulas } from '../../bench/cost/itemized-formula.ts';
import { boundsOf, costBounds } from '../../bench/limits/bounds.ts';
import { checkBounds } from '../../bench/limits/check-bounds.ts';
import { costFigureName } from '../../bench/limits/cost-figures.ts';
import { derivedFigures, type FigureName } from '../../bench/limits/derived-figures.ts';
import { goalOutcomes, goals, shortfalls } from '../../bench/limits/goals.ts';
import type { Limit } from '../../bench/limits/limit.ts';
import { recordedFile } from '../../bench/report/docs.ts';
import { figuresWhere } from './figures-where.ts';
import { sampleRecord } from './sample-record.ts';

const { date: _date, depth, machine: _machine, versions: _versions, ...figures } = sampleRecord;
type Depth = BenchRun['depth'];
const kinds: readonly (keyof Figures)[] = ['calls', 'rcu', 'wcu'];

/** The values of figures in the sample. */
const values: Partial<Record<FigureName, number>> = {
  wcuN0: 4 / 5,
  wcuN1: 5 / 8,
  wcuN3: 5 / 14,
  wcuN10: 8 / 35,
  wcuN3Incompressible: 8 / 14,
  wcuN10Incompressible: 2 / 5,
  wcuBatch10: 5 / 8,
  wcuDiscard: 4 / 3,
  rcuN1: 1,
  callsN0: 1 / 2,
  callsN1: 4 / 6,
  callsBatch10: 13 / 60,
  callsDiscard: 1 / 2,
  overheadBatch1: 3 / 4,
  overheadBatch10: 3 / 4,
  sagaTimeBatch10: 3 / 2,
  allocatedBatch1: 1 / 2,
  allocatedBatch10: 1 / 2,
  sagaAllocatedBatch10: 1,
  bundleKB: 29.9,
  bundleGzipKB: 9.9,
  bundleRatio: 29.9 / 40,
  bundleGzipRatio: 9.9 / 12,
  sdkLoadedAtOnce: 2,
  throughput1: 1.5,
  throughput10: 2,
  throughput50: 2.5,
  throughput50Default: 2,
  appliedOnce: 1,
  appliedTwice: 0,
  deadLettered: 0,
  refusedAttempts: 1 / 10,
  lockedWcu: 1 / 2,
  lockedTime: 1 / 2,
  conflicts: 1 / 10,
  optimisticWcu: 1 / 2,
  optimisticTime: 1 / 2,
  outboxUnits: 1,
  outboxCalls: 1,
  outboxTime: 1.1,
  relayUnits: 1,
  relayCalls: 1,
  stateRcu: 1.1,
  stateWcu: 1.1,
  stateUnits: 1,
  stateCalls: 1,
  stateTime: 1.1,
};

type Ranges = Partial<Record<FigureName, readonly [best: number, worst: number]>>;

/** What does not depend on how long a run is. */
const recordedAlways: Ranges = {
  allocatedBatch1: [1.546, 1.62],
  allocatedBatch10: [1.288, 1.331],
  sagaAllocatedBatch10: [3.125, 3.24],
  bundleKB: [112.5, 140.9],
  bundleGzipKB: [38.2, 48.8],
  bundleRatio: [2.04, 2.55],
  bundleGzipRatio: [2.36, 3],
  sdkLoadedAtOnce: [3, 3],
  appliedOnce: [1, 1],
  appliedTwice: [0, 0],
  deadLettered: [0, 0],
  refusedAttempts: [0.036, 0.172],
  lockedWcu: [0.504, 0.776],
  conflicts: [0.052, 0.226],
  optimisticWcu: [0.197, 0.376],
  callsBatch10: [13 / 60, 17 / 60],
  outboxUnits: [1, 1],
  outboxCalls: [1, 1],
  relayUnits: [1, 1],
  relayCalls: [1, 1],
  stateRcu: [13, 13],
  stateWcu: [199 / 5, 199 / 5],
  stateUnits: [1, 1],
  stateCalls: [1, 1],
  stateTime: [1.335, 2.091],
};
/** What runs measured, the best and the worst of it: full ones in quiet, short ones also on two cores that many other processes wanted. */
const recorded: Readonly<Record<Depth, Ranges>> = {
  short: {
    ...recordedAlways,
    overheadBatch1: [1.056, 2.11],
    overheadBatch10: [0.865, 1.54],
    sagaTimeBatch10: [2.616, 4.54],
    throughput1: [1.29, 1.02],
    throughput10: [2.478, 1.57],
    throughput50: [3.47, 1.97],
    outboxTime: [0.7, 1.1],
  },
  full: {
    ...recordedAlways,
    overheadBatch1: [1.06, 1.73],
    overheadBatch10: [0.87, 0.97],
    sagaTimeBatch10: [2.6, 3.33],
    throughput1: [1.229, 1.177],
    throughput10: [1.743, 1.696],
    throughput50: [1.533, 1.378],
    throughput50Default: [1.309, 1.212],
    lockedTime: [0.438, 0.91],
    optimisticTime: [0.07, 0.53],
    outboxTime: [0.982, 1.007],
  },
};
const depths = Object.keys(recorded) as Depth[];
const partNames = Object.keys(figures) as (keyof BenchmarkFigures)[];
const names = Object.keys(derivedFigures) as FigureName[];

describe('the figures that are judged', () => {
  it.each(Object.entries(values) as [FigureName, number][])(
    '%s is made of what was measured',
    (name, value) => {
      expect(derivedFigures[name].valueIn(figures)).toBeCloseTo(value, 10);
    },
  );

  it('are all in the table above, but for some of the cost', () => {
    const ofCost = cases.flatMap((name) => kinds.map((kind) => costFigureName(name, kind)));
    const known = [...ofCost, ...(Object.keys(values) as FigureName[])];
    expect(names.toSorted()).toEqual([...new Set(known)].toSorted());
  });

  it('are none of parts that were not measured', () => {
    expect(names.map((name) => derivedFigures[name].valueIn({}))).toEqual(names.map(() => undefined));
    expect(derivedFigures.sdkLoadedAtOnce.valueIn({ coldLoadMs: figures.coldLoadMs })).toBe(2);
  });

  it('take the worst of the modes of sagabox, and leave those beside it alone', () => {
    const { contention } = figures;
    const value = (changed: Partial<BenchmarkFigures['contention']>) =>
      derivedFigures.appliedTwice.valueIn({ contention: { ...contention, ...changed } });
    expect(value({ eventual: { ...contention.eventual, appliedTwice: 3 } })).toBe(3);
    expect(value({ blindSpin: { ...contention.blindSpin, appliedTwice: 3 } })).toBe(0);
  });

  it('tell messages that sagabox lost, though its peers lost as many', () => {
    const { contention } = figures;
    const lossy = Object.fromEntries(
      Object.entries(contention).map(([name, round]) => [name, { ...round, appliedOnce: 199 }]),
    ) as unknown as BenchmarkFigures['contention'];
    expect(derivedFigures.appliedOnce.valueIn({ contention: lossy })).toBe(199 / 200);
    const idle = { ...contention, eventual: { ...contention.eventual, messages: 0, appliedOnce: 0 } };
    expect(derivedFigures.appliedOnce.valueIn({ contention: idle })).toBe(0);
  });

  it.each([
    [0, 0, 0],
    [0, 5, 0],
    [5, 0, Number.POSITIVE_INFINITY],
  ])('make of %d conflicts beside %d: %d', (own, peer, expected) => {
    const { optimistic, retryWithoutJitter, ...others } = figures.contention;
    const contention = {
      ...others,
      optimistic: { ...optimistic, conflicts: own },
      retryWithoutJitter: { ...retryWithoutJitter, conflicts: peer },
    };
    expect(derivedFigures.conflicts.valueIn({ contention })).toBe(expected);
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
    const [check] = checkBounds({ depth, throughput }, { throughput1: limit });
    expect(check?.complaint === undefined).toBe(holds);
  });

  it('that is not met is told with the figure and the bound', () => {
    expect(
      checkBounds({ depth, ...figures }, { callsBatch10: { atMost: 0.2 }, deadLettered: { atMost: 0 } }),
    ).toEqual([
      {
        name: 'callsBatch10',
        complaint:
          'Calls of a batch of ten messages, N = 1: sagabox / itemized is 0.217, its bound is at most 0.200',
      },
      { name: 'deadLettered', complaint: undefined },
    ]);
  });

  it('of a part that was not measured is not checked', () => {
    const { cost } = figures;
    expect(checkBounds({ depth, cost }).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['wcuN1', 'callsBatch10']),
    );
    expect(checkBounds({ depth })).toEqual([]);
  });
});

describe('the recorded bounds', () => {
  it('are of every part', () => {
    const judged = partNames.map((part) => [part, checkBounds({ depth, [part]: figures[part] }).length > 0]);
    expect(judged).toEqual(partNames.map((part) => [part, true]));
  });

  it('are those of every figure that is judged; a short run has none of times that it cannot tell', () => {
    expect(Object.keys(boundsOf('full')).toSorted()).toEqual(names.toSorted());
    const short = Object.keys(boundsOf('short'));
    expect(names.filter((name) => !short.includes(name)).toSorted()).toEqual([
      'lockedTime',
      'optimisticTime',
      'throughput50Default',
    ]);
  });

  const limits = depths.flatMap((of) =>
    (Object.entries(boundsOf(of)) as [FigureName, Limit][]).map(
      ([name, limit]) => [of, name, limit] as const,
    ),
  );
  it.each(limits)('of a %s run of %s, %j, hold up to it, and no further', (of, name, limit) => {
    const bound = 'atMost' in limit ? limit.atMost : 'atLeast' in limit ? limit.atLeast : limit.below;
    const justWorse = worse(limit, bound, 1e-6);
    const justBetter = worse(limit, bound, -1e-6);
    expect(complaintsOf(of, name, justBetter)).toEqual([]);
    expect(complaintsOf(of, name, justWorse)).toEqual([expect.stringContaining(derivedFigures[name].title)]);
  });

  it.each(depths)('are of figures whose range was recorded, or whose exact value: %s', (of) => {
    const exact = cases.flatMap((name) => kinds.map((kind) => costFigureName(name, kind)));
    const known = new Set([...exact, ...Object.keys(recorded[of])]);
    expect(Object.keys(boundsOf(of)).toSorted()).toEqual([...known].toSorted());
  });

  const ranges = depths.flatMap((of) =>
    (Object.entries(recorded[of]) as [FigureName, readonly [number, number]][]).map(
      ([name, range]) => [of, name, range] as const,
    ),
  );
  it.each(ranges)(
    'of a %s run take the %s that was recorded, %j, and nothing a fifth worse',
    (of, name, range) => {
      const [best, worst] = range;
      expect(complaintsOf(of, name, best)).toEqual([]);
      expect(complaintsOf(of, name, worst)).toEqual([]);
      expect(complaintsOf(of, name, worse(boundsOf(of)[name] as Limit, worst, 0.2))).toHaveLength(1);
    },
  );

  it('take the figures of docs/proof/benchmarks.json, and nothing a fifth worse than what is worse of them and of those above', async () => {
    const record = await readRecord(recordedFile);
    const full = boundsOf('full');
    for (const name of names) {
      const limit = full[name] as Limit;
      const value = derivedFigures[name].valueIn(record) ?? Number.NaN;
      expect([name, complaintsOf('full', name, value)]).toEqual([name, []]);
      const [, worst] = recorded.full[name] ?? [value, value];
      const worstOfAll = 'atLeast' in limit ? Math.min(value, worst) : Math.max(value, worst);
      expect([name, complaintsOf('full', name, worse(limit, worstOfAll, 0.2))]).toEqual([
        name,
        [expect.any(String)],
      ]);
    }
  });

  it.each(cases.flatMap((name) => kinds.map((kind) => [name, kind] as const)))(
    'of the cost of %s are met by as many %s as recorded, not by one more',
    (name, kind) => {
      const limit = costBounds[name][kind];
      const itemized = itemizedFormulas[name];
      const complaints = (count: number) => {
        const sagabox = { ...costBounds[name], [kind]: count };
        const checks = checkBounds({ depth, cost: { ...figures.cost, [name]: { sagabox, itemized } } });
        return checks.filter(({ complaint }) => complaint !== undefined).map((check) => check.name);
      };
      expect(complaints(limit)).not.toContain(costFigureName(name, kind));
      expect(complaints(limit + 1)).toContain(costFigureName(name, kind));
    },
  );
});

/** What is worse than this value by this share of it; for nothing at all, by as much as the share is. */
function worse(limit: Limit, value: number, share: number): number {
  const step = value === 0 ? share : Math.abs(value) * share;
  return 'atLeast' in limit ? value - step : value + step;
}

/** Of the bound of one figure in such a run, when it has this value. */
function complaintsOf(of: Depth, name: FigureName, value: number): string[] {
  const checks = checkBounds({ depth: of, ...figuresWhere(name, value, figures) });
  return checks.flatMap((check) => (check.name === name ? (check.complaint ?? []) : []));
}

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

  it('that are not reached for one reason are told together, and those without one by themselves', () => {
    const bundle = { ...figures.bundle, sagaboxKB: 99, sagaboxGzipKB: 99 };
    const told = { bundleKB: 'It is large.', bundleRatio: 'It is large.' };
    const short = shortfalls(goalOutcomes({ bundle }), told);
    expect(short.map(({ missed, reason }) => [missed.map(({ name }) => name), reason])).toEqual([
      [['bundleKB', 'bundleRatio'], 'It is large.'],
      [['bundleGzipKB'], undefined],
      [['bundleGzipRatio'], undefined],
    ]);
  });
});
