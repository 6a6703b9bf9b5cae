import { randomInt } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import type { CheckResult } from './check-histories.ts';
import { checkInThreads, type ThreadRun } from './check-in-threads.ts';
import { describeFailure } from './describe-result.ts';
import { type OutboxPlan, planNames } from './outbox-plans.ts';

/** Of each form of the outbox; of a changeover, 30. */
const runs: Partial<Record<OutboxPlan, number>> = { records: 250, embedded: 100 };
const TIMEOUT_MS = 1_200_000;

let results: Record<string, CheckResult>;

beforeAll(async () => {
  const seed = randomInt(2 ** 31);
  const ofPlans = planNames.map((outbox): [OutboxPlan, ThreadRun] => [
    outbox,
    { seed, runs: runs[outbox] ?? 30, outbox },
  ]);
  results = await checkInThreads<string>(Object.fromEntries(ofPlans));
}, TIMEOUT_MS);

it.each(planNames)('the histories of a fresh seed break no invariant: %s', (outbox) => {
  const result = results[outbox];
  // It tells the seed.
  expect(result?.failure && describeFailure(result.failure)).toBeUndefined();
  expect(result?.runs).toBe(runs[outbox] ?? 30);
});
