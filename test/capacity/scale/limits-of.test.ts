import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { limitsOf, type MessageShape, planMessage, type ScaleShape, type Workload } from 'sagabox/capacity';
import { limitRules } from '../../../lib/capacity/scale/limits-of.ts';
import { samples } from '../../support/samples.ts';
import { anyWorkload, impossibleNumbers } from '../any-shape.ts';
import {
  allOfOneSaga,
  boundaries,
  busiest,
  embedded,
  event,
  rateOf,
  saga,
  scaled,
  sending,
  sizes,
} from './boundaries.ts';

const seed = 20_261_126;

function limitIn(workload: Workload, name: string, of: string) {
  const found = limitsOf(workload).filter((limit) => limit.name === name && limit.of === of);
  expect(found).toHaveLength(1);
  return found[0] as (typeof found)[number];
}

describe('the limits of a workload', () => {
  it('have no turns of a saga whose messages append', () => {
    const names = limitsOf(busiest({ ...saga, appended: 1 })(400)).map(({ name }) => name);
    expect(names).toContain('sagaWrites');
    expect(names).not.toContain('sagaTurns');
  });

  it.each(boundaries)(
    '%s of %s, %d: are reached at %d messages a second',
    (name, of, limit, at, workload) => {
      const reached = limitIn(workload(at), name, of);
      expect(reached.limit).toBe(limit);
      expect(reached.figure).toBeCloseTo(limit, 6);
      expect(reached.reachedAtMessagesPerSecond).toBeDefined();
      const below = limitIn(workload(at * 0.999), name, of);
      expect([below.isPassed, below.usedPercent < 100]).toEqual([false, true]);
      const above = limitIn(workload(at * 1.001), name, of);
      expect([above.isPassed, above.usedPercent > 100]).toEqual([true, true]);
    },
  );

  it.each(boundaries)('%s of %s, %d: tell that they are reached at %d', (name, of, _limit, at, workload) => {
    expect(limitIn(workload(at / 2), name, of).reachedAtMessagesPerSecond).toBeCloseTo(at, 0);
  });

  it.each(sizes)(
    '%s of %s, %d: are filled by %d bytes, and more are refused',
    (name, of, limit, at, size) => {
      const full = limitIn(size(at), name, of);
      expect(full).toMatchObject({ limit, figure: limit, usedPercent: 100, isPassed: false });
      expect(full).not.toHaveProperty('reachedAtMessagesPerSecond');
      expect(() => limitsOf(size(at + 1))).toThrow(String(limit));
    },
  );

  it.each([
    ['records', 'update', 399 * 1024],
    ['embedded', 'update', 392 * 1024],
    ['embedded', 'complete', 400 * 1024],
  ] as const)(
    'have the maximum of the runtime for the item of a saga: %s, %s, %i bytes',
    (layout, sagaChange, maximum) => {
      const { limit } = limitIn(rateOf({ ...saga, layout, sagaChange })(1), 'sagaItem', 'saga item');
      expect(limit).toBe(maximum);
    },
  );

  it('are all crossed by these tests', () => {
    const crossed = [...boundaries, ...sizes].map(([name]) => name);
    expect([...new Set(crossed)].sort()).toEqual(limitRules.map(({ name }) => name).sort());
  });

  it('have a source with a title and a date, and a way out', () => {
    for (const { source, remedy, unit, of } of limitRules.flatMap(({ name }) => {
      const found = boundaries.find((boundary) => boundary[0] === name);
      return found ? limitsOf(found[4](found[3])) : [];
    })) {
      expect(source.read).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect([source.title, remedy, unit, of].every((words) => words.length > 2)).toBe(true);
      expect(remedy).not.toMatch(/\.$/);
    }
  });

  it('say which figure no page was read for', () => {
    const unverified = (region: string) =>
      limitsOf(scaled(event, { schedules: 1 }, { region })(1))
        .filter(({ source }) => !source.verified)
        .map(({ name }) => name);
    expect(unverified('us-east-1')).toEqual([]);
    expect(unverified('us-west-1')).toEqual(['scheduleInvocations']);
  });

  it('come with the nearest first', () => {
    const all = limitsOf(busiest(sending)(2_000));
    const limits = all.filter(({ isEstimate }) => !isEstimate);
    const used = limits.map(({ usedPercent }) => usedPercent);
    expect(used).toEqual(used.toSorted((a, b) => b - a));
    expect(all.slice(limits.length).map(({ name }) => name)).toEqual(['sagaTurns']);
  });

  it('take the busiest time, and the average for what waits', () => {
    const workload = {
      message: event,
      messagesPerSecond: 10,
      peakMessagesPerSecond: 1_000,
      scale: { schedules: 1, scheduleDelay: { hours: 1 } },
    };
    expect(limitIn(workload, 'scheduleCalls', 'schedules').figure).toBe(1_000);
    expect(limitIn(workload, 'schedulesWaiting', 'schedules').figure).toBe(36_000);
    expect(limitIn(workload, 'newTableReads', 'outbox table').figure).toBe(1_000);
  });

  it.each([
    ['standard', ['eventSourceConcurrency', 'eventSourceGrowth']],
    ['fifo', []],
    ['highThroughputFifo', []],
  ] as const)('of the pollers of an event source, to a %s queue, are %j', (queue, expected) => {
    const limits = limitsOf(scaled(event, { queue })(20_000)).filter(({ of }) => of === 'event source');
    expect(limits.map(({ name }) => name).toSorted()).toEqual(expected);
    expect(limits.every(({ isPassed }) => isPassed)).toBe(true);
    expect(limitIn(scaled(event, { queue })(20_000), 'accountConcurrency', 'functions').figure).toBe(2_000);
  });

  it('of a saga that gets much of each batch count groups of up to ten', () => {
    const turns = (messagesPerSecond: number, batchSize: number) =>
      limitIn(
        { message: saga, messagesPerSecond, batchSize, scale: { busiestSagaMessagesPerSecond: 100 } },
        'sagaTurns',
        'one saga',
      ).figure;
    expect(turns(10_000, 10)).toBeCloseTo(10, 9);
    expect(turns(200, 10)).toBeCloseTo(2, 9);
    expect(turns(100, 10)).toBeCloseTo(1, 9);
    expect(turns(100, 1_000)).toBeCloseTo(1, 9);
  });

  it('are of conflicts and duplicates too', () => {
    const message = { ...saga, conflictRate: 0.5, duplicateRate: 0.5 };
    const { wcu } = planMessage(message).perTable.saga;
    expect(limitIn(busiest(message)(100), 'sagaWrites', 'one saga').figure).toBeCloseTo(100 * wcu, 6);
  });

  it('of an account are passed once nothing of them is left', () => {
    const all = limitIn(rateOf(event)(10_000), 'accountConcurrency', 'functions');
    expect(all).toMatchObject({ figure: 1_000, limit: 1_000, isPassed: true });
    const ofTable = limitIn(rateOf(saga)(20_000), 'tableWrites', 'saga table');
    expect(ofTable).toMatchObject({ figure: 40_000, limit: 40_000, isPassed: false });
  });

  it('of a busy saga count the record that each message writes once the inbox is full', () => {
    const figure = (liveIds: number, busiestSagaMessagesPerSecond: number) =>
      limitIn(
        {
          message: { ...embedded, liveIds },
          messagesPerSecond: 100,
          scale: { busiestSagaMessagesPerSecond },
          deduplicationPeriod: { hours: 1 },
        },
        'sagaWrites',
        'one saga',
      ).figure / busiestSagaMessagesPerSecond;
    expect(figure(10, 10 / 3_600)).toBe(4);
    expect(figure(10, 257 / 3_600)).toBe(10);
    expect(figure(257, 10 / 3_600)).toBe(10);
  });

  it('count a saga whose full inbox does not fit as the others', () => {
    const message: MessageShape = { ...embedded, sagaBytes: 390_000, sagaCompressionRatio: 1 };
    expect(limitsOf(allOfOneSaga(message)(1)).length).toBeGreaterThan(3);
  });

  it('need no prices', () => {
    expect(limitsOf(rateOf(event, { region: 'mars-north-1' })(1)).length).toBeGreaterThan(3);
  });

  it.each<[string, Partial<Workload>, RegExp]>([
    [
      'a saga of messages without one',
      { message: event },
      /busiestSaga.*: it is of a saga, and the message has none/,
    ],
    ['more than all', { messagesPerSecond: 1 }, /2 is more than all messages at the busiest time, 1/],
    [
      'more than are sent',
      { scale: { topicMessages: 1, busEvents: 1 } },
      /2 messages to topics.* of 1 outgoing/,
    ],
    [
      'no queue',
      { scale: { queue: 'kafka' as 'fifo' } },
      /scale\.queue: "kafka" is not known\. Use 'standard' or 'fifo'/,
    ],
    [
      'no duration',
      { scale: { invocationDuration: { hours: 1 } } },
      /3600 s is out of range\. Use a duration from a millisecond to 15 minutes/,
    ],
    ['another key', { scale: { speed: 1 } as ScaleShape }, /scale\.speed: there is no such setting/],
  ])('refuse %s', (_what, change, problem) => {
    const workload = {
      message: sending,
      messagesPerSecond: 10,
      scale: { busiestSagaMessagesPerSecond: 2 },
      ...change,
    };
    expect(() => limitsOf(workload)).toThrow(expect.objectContaining({ code: 'Configuration' }));
    expect(() => limitsOf(workload)).toThrow(problem);
  });

  it(`are finite numbers, or the workload is refused (seed ${seed})`, () => {
    let compared = 0;
    const property = fc.property(anyWorkload, (workload) => {
      let limits: ReturnType<typeof limitsOf>;
      try {
        limits = limitsOf(workload);
      } catch (error) {
        return expect(error).toMatchObject({ code: 'Configuration' });
      }
      compared += 1;
      expect(impossibleNumbers(limits)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: samples(200) });
    expect(compared).toBeGreaterThan(samples(50));
  });
});
