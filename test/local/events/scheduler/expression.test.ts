import { describe, expect, it } from '@jest/globals';
import { periodOfRate, timeOfAt } from '../../../../lib/local/events/scheduler/expression.ts';

describe('the expression of a schedule', () => {
  it.each([
    ['at(2026-11-21T09:05:18)', '2026-11-21T09:05:18.000Z'],
    ['at(2028-02-29T00:00:00)', '2028-02-29T00:00:00.000Z'],
    ['at(2026-02-29T00:00:00)', undefined],
    ['at(2026-11-21T24:00:00)', undefined],
    ['at(2026-11-21T09:05)', undefined],
    ['at(2026-11-21T09:05:18Z)', undefined],
    ['at(2026-11-21T09:05:18.000)', undefined],
    ['2026-11-21T09:05:18', undefined],
    ['rate(5 minutes)', undefined],
    ['', undefined],
  ])('%s is due at %s', (expression, time) => {
    expect(timeOfAt(expression)?.toISOString()).toBe(time);
  });

  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(1 day)', 86_400_000],
    ['rate(1 minutes)', undefined],
    ['rate(5 minute)', undefined],
    ['rate(0 minutes)', undefined],
    ['rate(1.5 hours)', undefined],
    ['rate(5 seconds)', undefined],
    ['cron(0 9 * * ? *)', undefined],
  ])('%s repeats after %s ms', (expression, periodMs) => {
    expect(periodOfRate(expression)).toBe(periodMs);
  });
});
