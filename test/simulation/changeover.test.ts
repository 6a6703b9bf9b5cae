import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckResult } from './check-histories.ts';
import { checkInThread, type ThreadRun } from './check-in-thread.ts';
import { describeFailure } from './describe-result.ts';
import type { OutboxPlan } from './outbox-plans.ts';

const FIXED_SEED = 9;
const FIXED_RUNS = 90;
const FRESH_RUNS = 30;
const TIMEOUT_MS = 300_000;

const plans: readonly OutboxPlan[] = [
  'both',
  'records+both',
  'both+embedded',
  'forward',
  'back',
  'forwardUnwaited',
  'backUnwaited',
];

describe('histories of a saga whose outbox changes over', () => {
  let results: Record<string, CheckResult>;

  beforeAll(async () => {
    const seed = randomInt(2 ** 31);
    const runs = plans.flatMap((outbox): [string, ThreadRun][] => [
      [`fixed ${outbox}`, { seed: FIXED_SEED, runs: FIXED_RUNS, outbox }],
      [`fresh ${outbox}`, { seed, runs: FRESH_RUNS, outbox }],
    ]);
    results = await checkInThread(Object.fromEntries(runs));
  }, TIMEOUT_MS);

  it.each(plans)('break no invariant: %s', (outbox) => {
    for (const seed of ['fixed', 'fresh']) {
      const { failure } = results[`${seed} ${outbox}`] ?? {};
      expect(failure && describeFailure(failure)).toBeUndefined();
    }
  });

  it.each<[OutboxPlan, string]>([
    ['records+both', 'starts on a tombstone'],
    ['records+both', 'messages redispatched'],
    ['records+both', 'torn reads: the saga, of a commit whose saga is created'],
    ['both+embedded', 'marks of a tombstone'],
    ['both+embedded', 'entries relayed'],
    ['forward', 'deployments of embedded'],
    ['back', 'deployments of records'],
    ['forwardUnwaited', 'messages of another form refused'],
    ['backUnwaited', 'messages of another form refused'],
  ])('of a fixed seed have some: %s, %s', (outbox, name) => {
    expect(results[`fixed ${outbox}`]?.counts[name]).toBeGreaterThan(0);
  });
});
