import { describe, expect, it } from '@jest/globals';
import type { BenchmarkFigures } from '../benchmark/benchmark-figures.ts';
import { readRecord } from '../benchmark/record-file.ts';
import { sampleRecord } from '../benchmark/sample-record.ts';
import { cases, type Figures } from '../cost/figures.ts';
import { itemizedFormulas } from '../cost/itemized-formula.ts';
import { recordedFile } from '../report/docs.ts';
import { type Bound, boundsOf, costBounds } from './bounds.ts';
import { checkBounds } from './check-bounds.ts';
import { costFigureName } from './cost-figures.ts';
import { derivedFigures, type FigureName } from './derived-figures.ts';
import { goalOutcomes, goals, shortfalls } from './goals.ts';
import { isWithin, type Limit } from './limit.ts';

const { date: _date, depth, machine: _machine, versions: _versions, ...figures } = sampleRecord;
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

const depths = ['short', 'full'] as const;
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

  const seen = depths.flatMap((of) =>
    Object.entries(boundsOf(of)).flatMap(([name, limit]) => (limit.seen ? [[of, name, limit] as const] : [])),
  );
  it.each(seen)(
    'of a %s run of %s, %j, take what was seen, and nothing a fifth worse',
    (_of, _name, limit) => {
      const [best, worst] = limit.seen ?? [];
      expect([best, worst].map((value = Number.NaN) => isWithin(limit, value))).toEqual([true, true]);
      expect(isWithin(limit, worse(limit, worst ?? Number.NaN, 0.2))).toBe(false);
    },
  );

  it('but those of the cost tell what was seen', () => {
    const untold = depths.map((of) =>
      Object.entries(boundsOf(of)).filter(([, { seen }]) => seen === undefined),
    );
    const ofCost = cases.flatMap((name) => kinds.map((kind) => costFigureName(name, kind)));
    for (const entries of untold)
      expect(ofCost).toEqual(expect.arrayContaining(entries.map(([name]) => name)));
  });

  it('take the figures of docs/proof/benchmarks.json, and nothing a fifth worse than the worst of them and of what was seen', async () => {
    const record = await readRecord(recordedFile);
    for (const [name, limit] of Object.entries(boundsOf('full')) as [FigureName, Bound][]) {
      const value = derivedFigures[name].valueIn(record) ?? Number.NaN;
      expect([name, isWithin(limit, value)]).toEqual([name, true]);
      const [, worst] = limit.seen ?? [value, value];
      const worstOfAll = 'atLeast' in limit ? Math.min(value, worst) : Math.max(value, worst);
      expect([name, isWithin(limit, worse(limit, worstOfAll, 0.2))]).toEqual([name, false]);
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
