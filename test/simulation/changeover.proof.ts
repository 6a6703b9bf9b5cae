import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckResult } from './check-histories.ts';
import { checkInThreads, type ThreadRun } from './check-in-threads.ts';
import { describeFailure } from './describe-result.ts';
import type { OutboxPlan } from './outbox-plans.ts';

const SEED = 11;
const RUNS = 90;
const TIMEOUT_MS = 1_200_000;

const plans: readonly OutboxPlan[] = [
  'both',
  'records+both',
  'both+embedded',
  'forward',
  'back',
  'forwardUnwaited',
  'backUnwaited',
];

describe('the histories of a saga whose outbox changes over', () => {
  let results: Record<string, CheckResult>;

  beforeAll(async () => {
    const runs = plans.map((outbox): [OutboxPlan, ThreadRun] => [outbox, { seed: SEED, runs: RUNS, outbox }]);
    results = await checkInThreads<string>(Object.fromEntries(runs));
  }, TIMEOUT_MS);

  it.each(plans)('break no invariant: %s', (outbox) => {
    const { failure, runs } = results[outbox] ?? {};
    expect(failure && describeFailure(failure)).toBeUndefined();
    expect(runs).toBe(RUNS);
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
  ])('have some: %s, %s', (outbox, name) => {
    expect(results[outbox]?.counts[name]).toBeGreaterThan(0);
  });
});
