import { describe, expect, it } from '@jest/globals';
import {
  formatBytes,
  formatDollars,
  formatPercent,
  formatUnits,
  formatWhole,
} from '../../../lib/cli/plan/format.ts';

describe('the figures of a plan', () => {
  it.each([
    [formatUnits, 0, '0'],
    [formatUnits, 2.5, '2.5'],
    [formatUnits, 1 / 3, '0.33'],
    [formatUnits, 0.001_234, '0.00123'],
    [formatUnits, 1234.567, '1,234.57'],
    [formatWhole, 120_960_000.4, '120,960,000'],
    [formatDollars, 1234.5, '$1,234.50'],
    [formatPercent, 28.888, '28.9 %'],
    [formatBytes, 0, '0 B'],
    [formatBytes, 1023, '1,020 B'],
    [formatBytes, 1024, '1 KB'],
    [formatBytes, 1536 * 1024 ** 2, '1.5 GB'],
    [formatBytes, 1e30, '888,000,000,000,000 PB'],
  ])('%p writes %d as %s', (format, value, written) => {
    expect(format(value)).toBe(written);
  });

  it.each([formatUnits, formatWhole, formatDollars, formatPercent, formatBytes])(
    '%p never writes NaN',
    (format) => {
      expect([Number.NaN, Number.POSITIVE_INFINITY].map(format)).toEqual(['-', '-']);
    },
  );
});
