import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  planWorkload,
  pricesOf,
  type RegionPrices,
  regions,
  tableCost,
  type Workload,
} from 'sagabox/capacity';
import { provisioned } from '../support/provisioned.ts';
import { samples } from '../support/samples.ts';
import { anyWorkload, impossibleNumbers } from './any-shape.ts';

const seed = 20260106;
/** 2 RCU and 5 WCU a message: 1 and 2 of the saga, 1 and 3 of the outbox. */
const workload: Workload = {
  message: { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 },
  messagesPerSecond: 200,
};
const secondsPerMonth = 730 * 3600;

describe('the plan of a workload', () => {
  it('tells the units of each table, a second and a month', () => {
    const { tables } = planWorkload({ ...workload, peakMessagesPerSecond: 700 });
    expect(tables).toEqual({
      saga: {
        average: { rcu: 200, wcu: 400 },
        peak: { rcu: 700, wcu: 1_400 },
        provisioned: provisioned([286, 1_000], [572, 2_000]),
        onDemand: { rcu: 200 * secondsPerMonth, wcu: 400 * secondsPerMonth },
      },
      outbox: expect.objectContaining({
        average: { rcu: 200, wcu: 600 },
        peak: { rcu: 700, wcu: 2_100 },
        onDemand: { rcu: 200 * secondsPerMonth, wcu: 600 * secondsPerMonth },
      }),
    });
  });

  it('provisions what the target utilisation asks for, and at least one unit', () => {
    const provisionedOf = (changed: Partial<Workload>) => {
      const { tables } = planWorkload({ ...workload, sharedTable: true, ...changed });
      return 'shared' in tables ? tables.shared.provisioned : undefined;
    };
    expect(provisionedOf({ targetUtilizationPercent: 50 })).toMatchObject({
      read: { minCapacity: 800, maxCapacity: 800 },
      write: { minCapacity: 2_000, maxCapacity: 2_000 },
    });
    expect(provisionedOf({ messagesPerSecond: 0.001 })).toMatchObject({
      read: { minCapacity: 1, maxCapacity: 1 },
      write: { minCapacity: 1, maxCapacity: 1 },
    });
  });

  it('has no table that nothing is kept in', () => {
    const tablesOf = (message: Workload['message']) =>
      Object.keys(planWorkload({ ...workload, message }).tables);
    expect(tablesOf({ outgoing: 1 })).toEqual(['outbox']);
    expect(tablesOf({ sagaBytes: 100, outbox: false })).toEqual(['saga']);
    expect(() => tablesOf({ outbox: false })).toThrow(/message: it takes no table/);
  });

  it('keeps a record for each message that is new, for as long as it is known', () => {
    const recordBytes = 217;
    const records = 200 * 15 * 86_400;
    const byDefault = planWorkload(workload);
    expect(byDefault.outbox).toEqual({ records, bytes: records * (recordBytes + 100) });
    const message = { ...workload.message, duplicateRate: 0.25 };
    const day = planWorkload({ ...workload, message, deduplicationPeriod: { days: 1 } });
    expect(day.outbox.records).toBe(150 * 86_400);
    expect(planWorkload({ ...workload, message: { sagaBytes: 100, outbox: false } }).outbox).toEqual({
      records: 0,
      bytes: 0,
    });
  });

  it.each([
    ['a message by itself', { batchSize: 1 }, {}, 1 + 1 + 1],
    ['batches of ten', { batchSize: 10 }, {}, 0.1 + 0.1 + 1 / 3],
    ['batches of two', { batchSize: 2 }, {}, 0.5 + 0.5 + 0.5],
    ['batches of more than a request takes', { batchSize: 100 }, { outgoing: 1 }, 0.1 + 0.1 + 0.1],
    ['eleven messages', {}, { outgoing: 11 }, 2 + 2],
    ['two queues', {}, { outgoing: 4, destinations: 2 }, 2 + 2],
    ['nothing to send', {}, { outgoing: 0 }, 2],
    ['a request for each 64 KB', {}, { outgoing: 1, messageBytes: 65_537 }, 2 + 2],
    ['a duplicate, which sends nothing', {}, { outgoing: 1, duplicateRate: 0.5 }, 2 + 0.5],
    ['a conflict, which sends nothing', {}, { outgoing: 1, conflictRate: 0.5 }, 2 + 1],
  ])('counts the requests to SQS of %s', (_case, changed, message, perMessage) => {
    const plan = planWorkload({ ...workload, ...changed, message: { ...workload.message, ...message } });
    expect(plan.queueRequests / (200 * secondsPerMonth)).toBeCloseTo(perMessage, 10);
  });

  it('costs what the prices say', () => {
    const { monthlyCost, prices } = planWorkload(workload);
    // A month: 1,051.2 million reads and 2,628 million writes; 572 read and 1,430 write units; 35.7 GB;
    // 1,576.8 million requests.
    expect(monthlyCost.onDemand).toBeCloseTo(1_051.2 * 0.125 + 2_628 * 0.625, 6);
    expect(monthlyCost.provisioned).toBeCloseTo(730 * (572 * 0.00013 + 1_430 * 0.00065), 6);
    expect(monthlyCost.storage).toBeCloseTo((82_166_400_000 / 2 ** 30) * 0.25, 6);
    expect(monthlyCost.queue).toBeCloseTo(1_576.8 * 0.4, 6);
    expect(prices).toEqual({
      region: 'us-east-1',
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      source: expect.any(String),
    });
  });

  it('is priced table by table too', () => {
    const { tables, monthlyCost } = planWorkload(workload);
    const prices = pricesOf('us-east-1') as RegionPrices;
    const costs = Object.values(tables).map((table) => tableCost(table, prices));
    expect(costs.reduce((sum, { onDemand }) => sum + onDemand, 0)).toBe(monthlyCost.onDemand);
    expect(costs.reduce((sum, { provisioned }) => sum + provisioned, 0)).toBe(monthlyCost.provisioned);
  });

  it.each(regions)('breaks even where both modes cost the same, in %s', (region) => {
    const { breakEvenUtilizationPercent: percent } = planWorkload({ ...workload, region });
    expect(percent).toBeGreaterThan(25);
    expect(percent).toBeLessThan(35);
    const { tables } = planWorkload({ ...workload, region });
    const prices = pricesOf(region) as RegionPrices;
    // The units of the average, of which just so many percent are used.
    const [table] = Object.values(tables);
    const provisioned = (units: number) => ({ minCapacity: units, maxCapacity: units });
    const { average, onDemand } = table ?? { average: { rcu: 0, wcu: 0 }, onDemand: { rcu: 0, wcu: 0 } };
    const read = provisioned(average.rcu / (percent / 100));
    const write = provisioned(average.wcu / (percent / 100));
    const used = { ...table, average, peak: average, onDemand };
    const cost = tableCost(
      { ...used, provisioned: { read, write, targetUtilizationPercent: percent } },
      prices,
    );
    expect(cost.provisioned / cost.onDemand).toBeCloseTo(1, 2);
  });

  it('takes prices of its own, of any region', () => {
    const own: RegionPrices = {
      ...(pricesOf('us-east-1') as RegionPrices),
      region: 'mars-north-1',
      source: 'a contract',
    };
    const doubled = { ...own, perMillionReadRequestUnits: 0.25, perMillionWriteRequestUnits: 1.25 };
    const plan = planWorkload({ ...workload, region: 'mars-north-1' }, { prices: doubled });
    expect(plan.monthlyCost.onDemand).toBeCloseTo(2 * planWorkload(workload).monthlyCost.onDemand, 6);
    expect(plan.prices).toMatchObject({ region: 'mars-north-1', source: 'a contract' });
    expect(() => planWorkload({ ...workload, region: 'mars-north-1' })).toThrow(
      /region: "mars-north-1" is not known\. Use one of/,
    );
    const wrong = { ...own, perReadUnitHour: Number.NaN, perGigabyteMonth: -1 };
    expect(() => planWorkload(workload, { prices: wrong })).toThrow(
      /prices\.perReadUnitHour: NaN is out of range\. .*prices\.perGigabyteMonth: -1 is out of range\./,
    );
  });

  it.each([null, 5, 'us-east-1', []])('refuses prices that are none: %j', (prices) => {
    const plan = () => planWorkload(workload, { prices: prices as unknown as RegionPrices });
    expect(plan).toThrow(expect.objectContaining({ code: 'Configuration' }));
    expect(plan).toThrow(/prices: .* is not an object/);
  });

  it('refuses prices of another region than the workload names', () => {
    const prices = pricesOf('eu-west-1') as RegionPrices;
    expect(planWorkload(workload, { prices }).prices.region).toBe('eu-west-1');
    expect(planWorkload({ ...workload, region: 'eu-west-1' }, { prices }).prices.region).toBe('eu-west-1');
    expect(() => planWorkload({ ...workload, region: 'us-east-1' }, { prices })).toThrow(
      /prices\.region: it is 'eu-west-1', and the region of the workload is 'us-east-1'/,
    );
  });

  it('knows no prices of what is no region', () => {
    expect(pricesOf('mars-north-1')).toBeUndefined();
    expect(pricesOf('toString')).toBeUndefined();
  });

  it(`is made of finite numbers, or refused (seed ${seed})`, () => {
    let planned = 0;
    const property = fc.property(anyWorkload, (one) => {
      let plan: ReturnType<typeof planWorkload>;
      try {
        plan = planWorkload(one);
      } catch (error) {
        return expect(error).toMatchObject({ code: 'Configuration' });
      }
      planned += 1;
      expect(impossibleNumbers(plan)).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: samples(1_000) });
    expect(planned).toBeGreaterThan(samples(300));
  });
});
