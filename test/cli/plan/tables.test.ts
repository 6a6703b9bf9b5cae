import { describe, expect, it } from '@jest/globals';
import { planWorkload } from 'sagabox/capacity';
import { tablesOf } from '../../../lib/cli/plan/tables.ts';
import { textOfPlan } from '../../../lib/cli/plan/text.ts';

const message = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const indexed = { message: { ...message, relayIndex: true }, messagesPerSecond: 200 };

describe('what has capacity of its own', () => {
  it.each([
    ['two tables', { message, messagesPerSecond: 200 }, ['saga', 'outbox']],
    ['a table with the relay index', indexed, ['saga', 'outbox', 'index']],
    ['one table for both with the relay index', { ...indexed, sharedTable: true }, ['shared', 'index']],
    [
      'a saga table of its own with the relay index',
      { ...indexed, message: { ...indexed.message, layout: 'embedded', sagaRelayIndex: true } },
      ['saga', 'sagaIndex', 'outbox', 'index'],
    ],
    ['no outbox', { ...indexed, message: { ...indexed.message, outbox: false } }, ['saga']],
    [
      'the itemized layout',
      { ...indexed, message: { ...indexed.message, layout: 'itemized' } },
      ['saga', 'outbox'],
    ],
  ] as const)('is told of %s', (_name, workload, names) => {
    expect(tablesOf(planWorkload(workload)).map(([name]) => name)).toEqual(names);
  });

  it('has a row of its own', () => {
    const lines = textOfPlan({ workload: indexed, plan: planWorkload(indexed) }, false);
    expect(lines.filter((line) => String(line).includes('relay index'))).toEqual([
      expect.stringMatching(/ 0 +400 +0 +400$/),
      expect.stringMatching(/ 5 +5 +572 +572 +70 %$/),
      expect.stringMatching(/ 0 +1,051,200,000$/),
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/outbox table +286 +286 +858 +858 +70 %$/));
  });
});

it.each([
  ['us-east-1', ''],
  ['ap-northeast-3', ', estimated'],
] as const)('the costs of %s tell whether the price of queues is an estimate', (region, told) => {
  const workload = { message, messagesPerSecond: 200, region };
  const lines = textOfPlan({ workload, plan: planWorkload(workload) }, false);
  for (const row of ['queue', 'total']) {
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^ *${row}${told} +\\$[\\d,.]+ +\\$[\\d,.]+$`)),
    );
  }
});
