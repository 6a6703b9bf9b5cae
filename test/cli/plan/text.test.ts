import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkWorkload, regions, type Workload } from 'sagabox/capacity';
import { planPage } from '../../../lib/cli/plan/page.ts';
import { objectOfPlan } from '../../../lib/cli/plan/plan.ts';
import { makePlan } from '../../../lib/cli/plan/planned-workload.ts';
import { textOfPlan } from '../../../lib/cli/plan/text.ts';
import { samples } from '../../support/samples.ts';
import { parseXml } from '../../support/xml.ts';

const rate = fc.constantFrom(1e-9, 0.001, 0.3, 1, 50, 12_345.6, 1e7);

const workloads: fc.Arbitrary<Workload> = fc.record(
  {
    messagesPerSecond: rate,
    peakMessagesPerSecond: rate,
    deduplicationPeriod: fc.constantFrom({ minutes: 15 }, { days: 7 }, { days: 3650 }),
    targetUtilizationPercent: fc.integer({ min: 20, max: 90 }),
    batchSize: fc.integer({ min: 1, max: 10_000 }),
    sharedTable: fc.boolean(),
    region: fc.constantFrom(...regions),
    message: fc.record(
      {
        sagaBytes: fc.constantFrom(0, 1, 1000, 5000, 400_000),
        sagaChange: fc.constantFrom('create', 'update', 'complete', 'none'),
        locking: fc.constantFrom('optimistic', 'eventual', 'pessimistic'),
        lockAttempts: fc.integer({ min: 1, max: 1000 }),
        outbox: fc.boolean(),
        layout: fc.constantFrom('records', 'embedded'),
        liveIds: fc.constantFrom(0, 10, 256, 1000),
        outgoing: fc.constantFrom(0, 1, 40, 99, 10_000),
        messageBytes: fc.constantFrom(1, 500, 60_000, 1_000_000),
        destinations: fc.integer({ min: 1, max: 1000 }),
        compressionRatio: fc.double({ min: 0.01, max: 2, noNaN: true }),
        duplicateRate: fc.constantFrom(0, 0.5, 0.999_999),
        conflictRate: fc.constantFrom(0, 0.5, 0.99),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['messagesPerSecond', 'message'] },
);

describe('a plan of any workload', () => {
  it('tells numbers everywhere, in text, JSON and on its page', () => {
    let planned = 0;
    fc.assert(
      fc.property(workloads, (workload) => {
        fc.pre('workload' in checkWorkload(workload));
        planned += 1;
        const whole = makePlan(workload, true);
        const text = textOfPlan(whole, false).join('\n');
        const json = JSON.stringify(objectOfPlan(whole));
        const page = planPage(whole);
        for (const written of [text, json, page]) expect(written).not.toMatch(/NaN|Infinity|undefined/);
        expect(json).not.toContain('null');
        expect(parseXml(page).name).toBe('html');
        const bars = text.split('\n').filter((line) => /^ {2}[RW]CU .*\]$/.test(line));
        expect(bars).toHaveLength(2);
        for (const bar of bars) expect(bar.length).toBeLessThanOrEqual(80);
      }),
      { numRuns: samples(40), seed: 1 },
    );
    expect(planned).toBeGreaterThanOrEqual(samples(40));
  });

  it('has no line of the outbox, and no break in its table, without one', () => {
    const planned = makePlan({ messagesPerSecond: 1, message: { sagaBytes: 1_000, outbox: false } }, false);
    const text = textOfPlan(planned, false).join('\n');
    expect(text).not.toContain('outbox');
    expect(text).toContain('  RCU 1 [');
  });
});
