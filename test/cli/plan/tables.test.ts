import { describe, expect, it } from '@jest/globals';
import { planWorkload } from 'sagabox/capacity';
import { tablesOf } from '../../../lib/cli/plan/tables.ts';
import { textOfPlan } from '../../../lib/cli/plan/text.ts';

const message = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const workload = { message, messagesPerSecond: 200 };

describe('what has capacity of its own', () => {
  it.each([
    ['two tables', workload, ['saga', 'outbox']],
    ['one table for both', { ...workload, sharedTable: true }, ['shared']],
    ['no outbox', { ...workload, message: { ...message, outbox: false } }, ['saga']],
    ['no saga', { ...workload, message: { outgoing: 3 } }, ['outbox']],
  ] as const)('is told of %s', (_name, given, names) => {
    expect(tablesOf(planWorkload(given)).map(([name]) => name)).toEqual(names);
  });

  it('has a row of its own', () => {
    const lines = textOfPlan({ workload, plan: planWorkload(workload) }, false);
    expect(lines).toContainEqual(expect.stringMatching(/saga table +286 +286 +572 +572 +70 %$/));
    expect(lines).toContainEqual(expect.stringMatching(/outbox table +286 +286 +858 +858 +70 %$/));
  });
});

it.each([
  ['us-east-1', ''],
  ['ap-northeast-3', ', estimated'],
] as const)('the costs of %s tell whether the price of queues is an estimate', (region, told) => {
  const priced = { ...workload, region };
  const lines = textOfPlan({ workload: priced, plan: planWorkload(priced) }, false);
  for (const row of ['queue', 'total']) {
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^ *${row}${told} +\\$[\\d,.]+ +\\$[\\d,.]+$`)),
    );
  }
});
