import { describe, expect, it } from '@jest/globals';
import type { ScaleLimit } from 'sagabox/capacity';
import { runCommandLine } from '../../support/command-io.ts';

const flags = [
  ...['--messages-per-second', '100000', '--batch-size', '10', '--saga-size', '1000', '--outgoing', '1'],
  ...['--busiest-saga-messages-per-second', '2000'],
];

async function plan(...args: string[]): Promise<string> {
  const { exitCode, out, err } = await runCommandLine('plan', ...args);
  expect([exitCode, err]).toEqual([0, '']);
  expect(Math.max(...out.map((line) => line.length))).toBeLessThanOrEqual(args.includes('--json') ? 1e6 : 80);
  return out.join('\n');
}

describe('sagabox plan for 100,000 messages a second, of which 2,000 for one saga', () => {
  it('names the limit of the partition of that saga, the quotas that it passes, and the cost', async () => {
    const text = await plan(...flags);
    expect(text).toMatch(/^ {2}one saga +WCU\/s +4,000 +1,000 +400 % +500\/s$/m);
    expect(text).toMatch(/^ {2}outbox table +WCU\/s, on demand +300,000 +40,000 +750 % +13,333\/s$/m);
    expect(text).toMatch(/^ {2}outbox table +WCU\/s, provisioned +428,572 +40,000 +1,071 % +9,333\/s$/m);
    expect(text).toMatch(/^ {2}account +WCU\/s, provisioned +714,287 +80,000 +893 % +11,200\/s$/m);
    expect(text.match(/^Passed .*$/gm)).toEqual([
      'Passed in either billing mode:',
      'Passed with tables on demand:',
      'Passed with provisioned tables:',
      'Passed by estimate:',
    ]);
    expect(text.replaceAll('\n', ' ')).toContain(
      '- one saga: WCU/s (fixed; "Best practices for designing and using partition keys effectively in DynamoDB", ' +
        'read 2026-11-26). Give the saga a finer correlation',
    );
    expect(text).toMatch(/^ {2}total +\$928,051\.43 +\$407,145\.06$/m);
    expect(text.replaceAll('\n', ' ')).toContain(
      'Recommended: records, as the busiest saga fills its inbox of 256 live ids in 0.13 s',
    );
  });

  it('has all of them in --json, with their sources and ways out', async () => {
    const { limits, monthlyCost } = JSON.parse(await plan(...flags, '--json')) as {
      limits: ScaleLimit[];
      monthlyCost: { onDemand: number };
    };
    expect(limits.filter(({ isPassed }) => isPassed)).toHaveLength(18);
    expect(limits.find(({ name }) => name === 'sagaWrites')).toEqual({
      name: 'sagaWrites',
      of: 'one saga',
      unit: 'WCU/s',
      figure: 4_000,
      limit: 1_000,
      usedPercent: 400,
      isPassed: true,
      isEstimate: false,
      adjustable: false,
      reachedAtMessagesPerSecond: 500,
      source: { title: expect.stringContaining('partition keys'), read: '2026-11-26', verified: true },
      remedy: expect.stringContaining('finer correlation'),
    });
    expect(monthlyCost.onDemand).toBeGreaterThan(800_000);
  });
});

describe('sagabox plan within all limits', () => {
  it('tells which comes first', async () => {
    const text = await plan('--messages-per-second', '10', '--outgoing', '1');
    expect(text).toContain(
      'No limit is passed. The nearest:\n- outbox table: WCU/s, new on demand (can be raised;',
    );
  });

  it('marks what no page was read for', async () => {
    const text = await plan(
      ...['--messages-per-second', '600', '--outgoing', '1', '--schedules', '1', '--region', 'us-west-1'],
    );
    expect(text.replaceAll('\n', ' ')).toContain(
      '"Quotas for Amazon EventBridge Scheduler", not verified, 2026-',
    );
  });
});
