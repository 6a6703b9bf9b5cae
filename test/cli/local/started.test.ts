import { expect, it } from '@jest/globals';
import { startedLines } from '../../../lib/cli/local/started.ts';

const names = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Q${index}`, `url-${index}`]));

it.each([
  [12, []],
  [13, ['  and 1 more: --json lists all']],
  [40, ['  and 28 more: --json lists all']],
])('of %i queues, the lines show twelve', (count, rest) => {
  const lines = startedLines({
    event: 'started',
    dynamoDBEngine: 'engine',
    environment: {},
    tables: {},
    queues: names(count),
    functions: { orders: 'Shop-Orders' },
    outputs: {},
    notRun: [],
  });
  expect(lines.filter((line) => /^ {2}Q\d+ +url-\d+$/.test(line))).toHaveLength(12);
  expect(lines.filter((line) => line.includes('more'))).toEqual(rest);
  expect(lines).not.toContain('Tables');
});
