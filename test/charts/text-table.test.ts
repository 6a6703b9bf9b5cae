import { describe, expect, it } from '@jest/globals';
import { textTable } from '../../lib/charts/text-table.ts';

describe('a table of text', () => {
  it('has columns as wide as their longest cell, numbers to the right', () => {
    const rows = [
      ['step', 'RCU', 'WCU'],
      ['dedup check', '1', '12.5'],
    ];
    expect(textTable(rows)).toEqual(['step         RCU   WCU', 'dedup check    1  12.5']);
  });

  it('has texts to the left where it is told so, and no spaces at the ends of lines', () => {
    const rows = [
      ['a', 'Query', ''],
      ['longer', 'Q', '1'],
      ['short', 'Q'],
    ];
    expect(textTable(rows, ['left', 'left'])).toEqual(['a       Query', 'longer  Q      1', 'short   Q']);
  });

  it('is nothing without rows', () => {
    expect(textTable([])).toEqual([]);
  });
});
