import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { limitsOf, type MessageShape, planMessage, type ScaleShape, type Workload } from 'sagabox/capacity';
import { limitRules } from '../../../lib/capacity/scale/limits-of.ts';
import { anyWorkload, impossibleNumbers } from '../any-shape.ts';

const seed = 20_261_126;
const KILOBYTE = 1024;

/** Takes 2 WCU and 1 RCU of a saga, and as much of the outbox. */
const saga: MessageShape = { sagaBytes: 1_000 };
const sending: MessageShape = { ...saga, outgoing: 1, relayIndex: true };
const event: MessageShape = { outgoing: 1 };

/** The workload at a rate, and the rate at which it reaches the limit exactly. */
type Boundary = readonly [
  name: string,
  of: string,
  limit: number,
  boundary: number,
  workload: (rate: number) => Workload,
];

const rateOf =
  (message: MessageShape, others: Partial<Workload> = {}) =>
  (messagesPerSecond: number): Workload => ({ message, messagesPerSecond, ...others });
const scaled = (message: MessageShape, scale: ScaleShape, others: Partial<Workload> = {}) =>
  rateOf(message, { ...others, scale });
const busiest = (message: MessageShape, scale: ScaleShape = {}) => {
  return (busiestSagaMessagesPerSecond: number): Workload => ({
    message,
    messagesPerSecond: 100_000,
    scale: { ...scale, busiestSagaMessagesPerSecond },
  });
};
const second = { invocationDuration: { seconds: 1 } };
const short = { invocationDuration: { milliseconds: 20 } };
/** Its inbox is full, so that each message has a record too. */
const embedded: MessageShape = { ...sending, relayIndex: false, layout: 'embedded' };
const allOfOneSaga = (message: MessageShape) => (messagesPerSecond: number) => ({
  message,
  messagesPerSecond,
  scale: { busiestSagaMessagesPerSecond: messagesPerSecond },
});

/** In 15 minutes a scan of 25 units a second reads 184 MB: the records of 7 days. */
const scanned = {
  gigabytes: 0.18432,
  messagesPerSecond: 184_320_000 / (7 * 86_400 * planMessage(event).dispatchedRecordBytes),
};

const boundaries: readonly Boundary[] = [
  ['sagaWrites', 'one saga', 1_000, 500, busiest(saga)],
  ['sagaWrites', 'one saga', 1_000, 250, busiest({ sagaBytes: 2 * KILOBYTE })],
  ['sagaWrites', 'one saga', 1_000, 100, busiest(embedded)],
  // The lease is 64 bytes, which takes the item over a unit, and a write of its own.
  ['sagaWrites', 'one saga', 1_000, 1_000 / 3, busiest({ sagaBytes: 900, locking: 'pessimistic' })],
  ['sagaWrites', 'one saga', 1_000, 500, busiest({ ...saga, appended: 1 })],
  ['sagaWrites', 'one saga', 1_000, 125, busiest({ ...saga, appended: 2, contributionBytes: 2 * KILOBYTE })],
  ['sagaReads', 'one saga', 3_000, 3_000, busiest(saga)],
  ['sagaReads', 'one saga', 3_000, 6_000, busiest({ ...saga, locking: 'eventual' })],
  ['sagaTurns', 'one saga', 1, 10, busiest(saga)],
  ['sagaTurns', 'one saga', 1, 1, busiest(saga, second)],
  ['relayIndexWrites', 'index shard', 1_000, 8_000, rateOf(sending)],
  // A saga of its own has one shard of the 16.
  ['relayIndexWrites', 'index shard', 1_000, 8_000, rateOf({ ...embedded, sagaRelayIndex: true })],
  ['relayIndexWrites', 'index shard', 1_000, 500, allOfOneSaga({ ...embedded, sagaRelayIndex: true })],
  ['newTableWrites', 'saga table', 4_000, 2_000, rateOf(saga)],
  ['newTableWrites', 'outbox index', 4_000, 2_000, rateOf(sending)],
  ['newTableWrites', 'shared table', 4_000, 1_000, rateOf(saga, { sharedTable: true })],
  ['newTableReads', 'saga table', 12_000, 12_000, rateOf(saga)],
  ['tableWrites', 'saga table', 40_000, 20_000, rateOf(saga)],
  // At a utilisation of 70 % the table is given more than it takes.
  ['provisionedWrites', 'saga table', 40_000, 14_000, rateOf(saga)],
  ['provisionedReads', 'outbox table', 40_000, 28_000, rateOf(saga)],
  ['tableReads', 'outbox table', 40_000, 40_000, rateOf(saga)],
  // 2 WCU of each table, at a utilisation of half.
  ['accountWrites', 'account', 80_000, 10_000, rateOf(saga, { targetUtilizationPercent: 50 })],
  ['accountReads', 'account', 80_000, 20_000, rateOf(saga, { targetUtilizationPercent: 50 })],
  ['accountConcurrency', 'function', 1_000, 10_000, rateOf(event)],
  ['accountConcurrency', 'function', 1_000, 100_000, rateOf(event, { batchSize: 10 })],
  // Ten requests a second for each, however short.
  ['accountConcurrency', 'function', 1_000, 10_000, scaled(event, short)],
  ['eventSourceConcurrency', 'event source', 1_250, 12_500, rateOf(event)],
  ['eventSourceConcurrency', 'event source', 1_250, 62_500, scaled(event, short)],
  ['eventSourceGrowth', 'event source', 305, 3_050, rateOf(event)],
  ['functionGrowth', 'function', 1_000, 1_000, scaled(event, second)],
  ['queueInFlight', 'queue', 120_000, 120_000, scaled(event, second)],
  ['fifoInFlight', 'queue', 120_000, 120_000, scaled(event, { ...second, queue: 'fifo' })],
  ['fifoInFlight', 'queue', 120_000, 120_000, scaled(event, { ...second, queue: 'highThroughputFifo' })],
  ['fifoCalls', 'FIFO queue', 300, 300, scaled(event, { queue: 'fifo' })],
  ['fifoCalls', 'FIFO queue', 300, 3_000, scaled(event, { queue: 'fifo' }, { batchSize: 10 })],
  ['highThroughputFifoCalls', 'FIFO queue', 70_000, 70_000, scaled(event, { queue: 'highThroughputFifo' })],
  [
    'highThroughputFifoCalls',
    'FIFO queue',
    2_400,
    24_000,
    scaled(event, { queue: 'highThroughputFifo' }, { batchSize: 10, region: 'eu-north-1' }),
  ],
  [
    'highThroughputFifoCalls',
    'FIFO queue',
    19_000,
    19_000,
    scaled(event, { queue: 'highThroughputFifo' }, { region: 'eu-central-1' }),
  ],
  [
    'highThroughputFifoCalls',
    'FIFO queue',
    9_000,
    9_000,
    scaled(event, { queue: 'highThroughputFifo' }, { region: 'ap-south-1' }),
  ],
  ['fifoGroupCalls', 'FIFO group', 300, 300, busiest(saga, { queue: 'highThroughputFifo' })],
  ['fifoGroupCalls', 'FIFO group', 300, 300, busiest(saga, { queue: 'fifo' })],
  ['relayScan', 'outbox table', scanned.gigabytes, scanned.messagesPerSecond, rateOf(event)],
  ['topicMessages', 'topics', 30_000, 30_000, scaled(event, { topicMessages: 1 })],
  ['topicMessages', 'topics', 300, 300, scaled(event, { topicMessages: 1 }, { region: 'il-central-1' })],
  ['busCalls', 'event buses', 10_000, 10_000, scaled(event, { busEvents: 1 })],
  ['busCalls', 'event buses', 10_000, 5_000, scaled({ outgoing: 11 }, { busEvents: 11 })],
  ['busCalls', 'event buses', 400, 800, scaled(event, { busEvents: 0.5 }, { region: 'me-south-1' })],
  ['busInvocations', 'event buses', 18_750, 18_750, scaled(event, { busEvents: 1 })],
  [
    'busInvocations',
    'event buses',
    1_100,
    100,
    scaled({ outgoing: 11 }, { busEvents: 11 }, { region: 'me-south-1' }),
  ],
  ['scheduleCalls', 'schedules', 5_000, 5_000, scaled(event, { schedules: 1 })],
  ['scheduleCalls', 'schedules', 250, 500, scaled(event, { schedules: 0.5 }, { region: 'us-west-1' })],
  [
    'schedulesWaiting',
    'schedules',
    10_000_000,
    1_000,
    scaled(event, { schedules: 1, scheduleDelay: { seconds: 10_000 } }),
  ],
  ['scheduleInvocations', 'schedules', 1_000, 1_000, scaled(event, { schedules: 1 })],
  ['scheduleInvocations', 'schedules', 500, 500, scaled(event, { schedules: 1 }, { region: 'us-west-1' })],
];

/** Where a size has a limit, not a rate: a saga of these bytes. */
const sizes: readonly Boundary[] = [
  ['sagaItem', 'saga item', 400 * KILOBYTE, 400 * KILOBYTE, (sagaBytes) => rateOf({ sagaBytes })(1)],
  [
    'outboxItem',
    'outbox item',
    400 * KILOBYTE,
    400 * KILOBYTE,
    (metadataBytes) => rateOf({ metadataBytes, layout: 'itemized' })(1),
  ],
];

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
      expect(() => limitsOf(size(at + 1))).toThrow(/409600/);
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
      limitsOf(scaled({ ...event, relayIndex: true }, { schedules: 1 }, { region })(1))
        .filter(({ source }) => !source.verified)
        .map(({ name }) => name);
    expect(unverified('us-east-1')).toEqual([]);
    expect(unverified('us-west-1')).toEqual(['scheduleInvocations']);
  });

  it('come with the nearest first', () => {
    const all = limitsOf(busiest({ ...sending, relayIndex: false })(2_000));
    const limits = all.filter(({ isEstimate }) => !isEstimate);
    const used = limits.map(({ usedPercent }) => usedPercent);
    expect(used).toEqual(used.toSorted((a, b) => b - a));
    expect(all.slice(limits.length).map(({ name }) => name)).toEqual(['relayScan', 'sagaTurns']);
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
    const all = limitIn(rateOf(event)(10_000), 'accountConcurrency', 'function');
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
    ['a saga of messages without one', { message: event }, /busiestSaga.* has none \(sagaBytes\)/],
    ['more than all', { messagesPerSecond: 1 }, /must be at most all messages at the busiest time, 1, not 2/],
    [
      'more than are sent',
      { scale: { topicMessages: 1, busEvents: 1 } },
      /2 messages to topics.* of 1 outgoing/,
    ],
    ['no queue', { scale: { queue: 'kafka' as 'fifo' } }, /scale\.queue must be one of 'standard', 'fifo'/],
    [
      'no duration',
      { scale: { invocationDuration: { hours: 1 } } },
      /from a millisecond to 15 minutes, not 3600 s/,
    ],
    ['another key', { scale: { speed: 1 } as ScaleShape }, /scale\.speed is not known/],
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
    fc.assert(property, { seed, numRuns: 200 });
    expect(compared).toBeGreaterThan(50);
  });
});
