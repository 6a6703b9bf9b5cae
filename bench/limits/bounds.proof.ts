import { describe, expect, it } from '@jest/globals';
import type { Figures, MeasuredFigures } from '../benchmark/figures.ts';
import { readRecord } from '../benchmark/record.ts';
import { cases, comparedUnits } from '../cost/figures.ts';
import { itemizedFormulas } from '../cost/itemized-formula.ts';
import { completeRecord, recordedFile } from '../report/page.ts';
import { costBounds } from './cost-bounds.ts';
import { isWithin, type Limit } from './judged.ts';
import { boundOf, checkBounds, judgedFigures } from './verdicts.ts';

const { figures } = completeRecord(await readRecord(recordedFile));
const { contention } = figures;
const depths = ['short', 'full'] as const;

function valuesOf(measured: MeasuredFigures): Record<string, number> {
  return Object.fromEntries(judgedFigures(measured).map(({ title, value }) => [title, value]));
}

function complaintsOf(depth: 'short' | 'full', measured: MeasuredFigures): string[] {
  return checkBounds({ depth, figures: measured }).flatMap(({ complaint }) => complaint ?? []);
}

/** The figures with another value at a path such as `cost/N=1/sagabox/wcu`. */
function withFigure(path: string, change: (value: number) => number): Figures {
  const changed = structuredClone(figures);
  const names = path.split('/');
  const last = names.pop() ?? '';
  const parent = names.reduce<Record<string, unknown>>(
    (object, name) => object[name] as Record<string, unknown>,
    changed,
  );
  parent[last] = change(parent[last] as number);
  return changed;
}

describe('a judged figure', () => {
  const growth = (what: string, where: string) => `${what}, at ${where}`;
  const mostRecords = 'the most outbox records / at the fewest';
  const largestItem = 'an item of 100 kB / of 1 kB';
  it.each<[path: string, factor: number, ...titles: string[]]>([
    ['cost/N=3/sagabox/wcu', 2, 'WCU of one message, N = 3: sagabox'],
    ['cost/N=0/itemized/rcu', 0.5, 'RCU of one message, N = 0: sagabox'],
    ['cost/batch10/sagabox/calls', 2, 'Calls of a batch of ten messages, N = 1: sagabox'],
    ['cost/discard/itemized/calls', 0.5, 'Calls of one discarded message: sagabox'],
    ['overhead/batch1/sagabox/medianMicros', 2, 'Time of one record: sagabox'],
    ['overhead/batch1/powertools/medianMicros', 0.5, 'Time of one record: sagabox'],
    ['overhead/batch1/sagabox/allocatedBytes', 2, 'Allocations of one record: sagabox'],
    ['overhead/batch10/sagabox/medianMicros', 2, 'Time of a batch of ten records: '],
    [
      'overhead/batch10/powertools/medianMicros',
      0.5,
      'Time of a batch of ten records: ',
      'Time of a batch of ten records, with saga and send',
    ],
    ['overhead/batch10/sagaboxSaga/medianMicros', 2, 'Time of a batch of ten records, with saga and send'],
    ['overhead/batch10/sagabox/allocatedBytes', 2, 'Allocations of a batch of ten records, in bytes: '],
    ['overhead/batch10/sagaboxSaga/allocatedBytes', 2, 'Allocations of a batch of ten records, with saga'],
    ['overhead/batch10/middy/medianMicros', 1],
    ['overhead/batch10/sagabox/meanMicros', 1],
    ['sessions/first/sagaboxExclusive/medianMicros', 2, 'Time of a first request'],
    ['sessions/first/powertools/medianMicros', 0.5, 'Time of a first request'],
    ['sessions/first/sagaboxExclusive/wcu', 2, 'WCU of a first request'],
    ['sessions/repeated/sagaboxExclusive/calls', 2, 'calls of a repeated request'],
    ['sessions/repeated/sagaboxExclusive/refusedWcu', 2, 'refused WCU of a repeated request'],
    ['sessions/first/sagabox/medianMicros', 1],
    ['bundle/kB/sagabox', 1],
    ['coldLoad/withSdkMs/sagabox', 2, 'Time to load the bundle with the SDK'],
    ['coldLoad/withSdkMs/powertools', 0.5, 'Time to load the bundle with the SDK'],
    ['coldLoad/aloneMs/sagabox', 1],
    ['throughput/sagabox/1', 2, 'Messages per second, 1 at a time: ', 'Time of one message, 1 at a time: '],
    ['throughput/itemized/10', 0.5, 'Messages per second, 10 at a time: '],
    [
      'throughput/sagabox/50',
      2,
      'Messages per second, 50 at a time: ',
      'Time of one message, 50 at a time: ',
    ],
    ['throughput/embedded/10', 0.5, 'Time of one message, 10 at a time: embedded / sagabox'],
    ['throughput/withServiceTimes/embedded/1', 2, 'Messages per second, 1 at a time, with service times: e'],
    ['throughput/withServiceTimes/sagabox/1', 2, 'Messages per second, 1 at a time, with service times'],
    [
      'throughput/withServiceTimes/itemized/10',
      0.5,
      'Messages per second, 10 at a time, with service times: s',
      'Messages per second, 10 at a time, with service times: e',
    ],
    ['throughput/withServiceTimes/sagabox/50', 2, 'Messages per second, 50 at a time, with service times: '],
    ['contention/optimistic/applied', 1],
    ['contention/blindSpin/refusedLockAttempts', 0.5, 'Refused lock attempts: pessimistic / blind spin'],
    ['contention/blindSpin/seconds', 0.5, 'Time of all messages: pessimistic / blind spin'],
    ['contention/optimistic/rcuPerMessage', 2, 'RCU of one message: optimistic'],
    ['contention/optimistic/callsPerMessage', 2, 'Calls for one message: optimistic'],
    ['contention/embedded/rcuPerMessage', 2, 'RCU of one message: embedded outbox'],
    ['contention/embedded/callsPerMessage', 2, 'Calls for one message: embedded outbox'],
    ['contention/retryWithoutJitter/conflicts', 0.5, 'Conflicts: turns without a lease / plain retry loop'],
    [
      'contention/optimistic/seconds',
      2,
      'Time of all messages: optimistic / pessimistic',
      'Time of all messages: optimistic / plain retry loop',
    ],
    ['contention/turnsWithoutLease/conflicts', 2, 'Conflicts: turns without a lease / plain retry loop'],
    ['contention/jitterWithoutTurns/conflicts', 1],
    ['growth/outboxRecords/1000000/calls', 2, 'Calls for one message, at the most outbox records'],
    ['growth/outboxRecords/1000/micros', 0.5, 'Time of one message, at the most outbox records'],
    ['growth/idleRelay/1000000/rcu', 2, 'Units of an idle relay'],
    ['growth/idleRelay/1000000/calls', 2, 'Calls of an idle relay'],
    ['growth/stateKB/100/rcu', 2, 'RCU of one message, at an item of 100 kB'],
    ['growth/stateKB/100/calls', 2, 'Calls for one message, at an item of 100 kB'],
    ['growth/stateKB/1/micros', 0.5, 'Time of one message, at an item of 100 kB'],
    ['growth/stateKB/10/wcu', 1],
    ['growth/compressedStateKB/10/wcu', 2, 'WCU of one message, at an item of 10 kB without compression'],
    ['growth/compressedStateKB/10/rcu', 2, 'RCU of one message, at an item of 10 kB without compression'],
    ['growth/compressedStateKB/100/wcu', 2, 'WCU of one message, at an item of 100 kB without compression'],
    ['growth/compressedStateKB/100/rcu', 2, 'RCU of one message, at an item of 100 kB without compression'],
    ['growth/compressedStateKB/1/wcu', 1],
  ])('follows %s, and no other does', (path, factor, ...titles) => {
    const before = valuesOf(figures);
    const after = valuesOf(withFigure(path, (value) => value * 2));
    const changed = Object.keys(before).filter((title) => after[title] !== before[title]);
    expect(changed).toEqual(titles.map((title) => expect.stringMatching(`^${title}`)));
    for (const title of changed) {
      expect((after[title] ?? 0) / (before[title] ?? 0)).toBeCloseTo(factor, 10);
    }
  });

  it.each([
    ['contention/pessimistic/refusedWcuPerMessage', 'pessimistic / blind spin'],
    ['contention/optimistic/wcuPerMessage', 'optimistic / plain retry loop'],
  ])('of write units includes refused and accepted ones: %s', (path, compared) => {
    const title = `WCU of one message, refused ones included: ${compared}`;
    const more = valuesOf(withFigure(path, (value) => value + 1))[title];
    expect(more).toBeGreaterThan(valuesOf(figures)[title] ?? Number.NaN);
  });

  it('of growth counts units of both kinds, and none of the item besides those of the item', () => {
    const values = valuesOf(withFigure('growth/outboxRecords/1000000/wcu', () => 12));
    expect(values[growth('Units of one message', mostRecords)]).toBe(14 / 7);
    const larger = valuesOf(withFigure('growth/stateKB/100/wcu', () => 202));
    expect(larger[growth("WCU of one message besides those of the saga's item", largestItem)]).toBe(2);
    expect(larger[growth('WCU of one message', largestItem)]).toBe(202 / 5);
  });

  it('takes the worst mode of sagabox, and ignores the other ways', () => {
    for (const [loss, title] of [
      ['twice', 'Messages applied twice, in any mode of sagabox'],
      ['deadLettered', 'Messages in the dead-letter queue, in any mode of sagabox'],
    ] as const) {
      expect(valuesOf(withFigure(`contention/eventual/${loss}`, () => 3))[title]).toBe(3);
      expect(valuesOf(withFigure(`contention/blindSpin/${loss}`, () => 3))[title]).toBe(0);
    }
    const title = 'Messages applied once / sent: the mode of sagabox with the fewest';
    expect(valuesOf(withFigure('contention/pessimistic/applied', () => 199))[title]).toBe(199 / 200);
    const idle = { ...contention.eventual, messages: 0, applied: 0 };
    expect(valuesOf({ contention: { ...contention, eventual: idle } })[title]).toBe(0);
  });

  it.each([
    [0, 0, 0],
    [0, 5, 0],
    [5, 0, Number.POSITIVE_INFINITY],
  ])('of %d conflicts beside %d is %d', (own, peer, expected) => {
    const turnsWithoutLease = { ...contention.turnsWithoutLease, conflicts: own };
    const retryWithoutJitter = { ...contention.retryWithoutJitter, conflicts: peer };
    const values = valuesOf({ contention: { ...contention, turnsWithoutLease, retryWithoutJitter } });
    expect(values['Conflicts: turns without a lease / plain retry loop']).toBe(expected);
  });

  it('compares the fullest outbox with the emptiest', () => {
    const [few, some, many] = [1, 2, 4].map((wcu) => ({ calls: 4, rcu: 0, wcu, refusedWcu: 0, micros: 1 }));
    const growthFigures = { ...figures.growth, outboxRecords: { 1000000: many, 900: few, 20000: some } };
    const values = valuesOf({ growth: growthFigures as Figures['growth'] });
    expect(values[growth('Units of one message', mostRecords)]).toBe(4);
  });
});

describe('a bound', () => {
  it.each<[Limit, number, string]>([
    [{ atMost: 1.5 }, 1.5, 'met'],
    [{ atMost: 1.5 }, 1.500_001, 'missed'],
    [{ atLeast: 1.5 }, 1.5, 'met'],
    [{ atLeast: 1.5 }, 1.499_999, 'missed'],
    [{ below: 1.5 }, 1.499_999, 'met'],
    [{ below: 1.5 }, 1.5, 'missed'],
    [{ atMost: 1.5 }, Number.NaN, 'missed'],
    [{ atLeast: 1.5 }, Number.NaN, 'missed'],
  ])('of %j with the figure %d is %s', (limit, value, result) => {
    const holds = result === 'met';
    expect(isWithin(limit, value)).toBe(holds);
  });

  it('that is not met is reported with the figure and the bound', () => {
    expect(
      complaintsOf(
        'full',
        withFigure('contention/eventual/deadLettered', () => 1),
      ),
    ).toEqual(['Messages in the dead-letter queue, in any mode of sagabox is 1, its bound is at most 0']);
  });

  it('of a part that was not measured is not checked', () => {
    expect(checkBounds({ depth: 'full', figures: {} })).toEqual([]);
    const { bundle, ...bounded } = figures;
    expect(checkBounds({ depth: 'full', figures: { bundle } })).toEqual([]);
    for (const [part, ofPart] of Object.entries(bounded)) {
      expect(checkBounds({ depth: 'full', figures: { [part]: ofPart } }).length).toBeGreaterThan(0);
    }
  });

  it('exists for each judged figure; a short run has none of what it cannot tell', () => {
    const titles = (depth: 'short' | 'full') => checkBounds({ depth, figures }).map(({ title }) => title);
    const short = titles('short');
    expect(titles('full')).toHaveLength(84);
    expect(titles('full').filter((title) => !short.includes(title))).toEqual([
      'WCU of one message: optimistic',
      'WCU of one message, refused ones included: optimistic',
      'RCU of one message: optimistic',
      'Calls for one message: optimistic',
      'Time of all messages: optimistic / pessimistic',
      'WCU of one message, refused ones included: embedded outbox',
      'RCU of one message: embedded outbox',
      'Calls for one message: embedded outbox',
      'Time of all messages: pessimistic / blind spin',
      'Time of all messages: optimistic / plain retry loop',
    ]);
  });

  it('accepts the recorded figures', () => expect(complaintsOf('full', figures)).toEqual([]));

  const bounds = depths.flatMap((depth) =>
    judgedFigures(figures).flatMap(({ title, value, bound: ofDepths }) => {
      const bound = boundOf(ofDepths, depth);
      return bound ? [{ depth, title, value, bound }] : [];
    }),
  );
  it.each(bounds)('in a $depth run accepts what was seen, and nothing a fifth worse: $title', (judged) => {
    const { depth, value, bound } = judged;
    const [best, worst] = bound.seen ?? [value, value];
    expect([best, worst].map((seen) => isWithin(bound, seen))).toEqual([true, true]);
    const recorded = depth === 'full' ? value : worst;
    if ('atLeast' in bound) expect(isWithin(bound, Math.min(worst, recorded) * 0.8)).toBe(false);
    else expect(isWithin(bound, Math.max(worst, recorded) * 1.2 || 0.2)).toBe(false);
  });

  it.each(cases.flatMap((name) => comparedUnits.map((unit) => [name, unit] as const)))(
    'of the cost of %s accepts as many %s as recorded, and not one more',
    (name, unit) => {
      const limit = costBounds[name][unit];
      const complaints = (count: number) => {
        const sagabox = { ...costBounds[name], [unit]: count };
        const cost = { ...figures.cost, [name]: { sagabox, itemized: itemizedFormulas[name] } };
        return complaintsOf('full', { cost });
      };
      expect(complaints(limit)).toEqual([]);
      expect(complaints(limit + 1)).toHaveLength(1);
    },
  );
});
