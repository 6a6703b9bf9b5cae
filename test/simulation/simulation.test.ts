import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ports } from './call.ts';
import { type CheckResult, checkHistories } from './check-histories.ts';
import { checkInThread, type ThreadRun } from './check-in-thread.ts';
import { describeFailure } from './describe-result.ts';
import { faults, lastFates } from './fates.ts';
import { type Mode, modes } from './scenario.ts';

/** Those with which so few histories have everything below: `npm run simulate` makes as many as you like. */
const FIXED_SEEDS = [129, 133, 144, 178, 192, 193, 206] as const;
/** Of each seed. */
const RUNS = 250;
const TIMEOUT_MS = 600_000;

/** All that is needed to repeat the failure, if there is one. */
function told({ failure }: CheckResult): string | undefined {
  return failure && describeFailure(failure);
}

/** Some only wait, and make no call that can fail. */
const portsThatFail = ports.filter((port) => port !== 'pause' && port !== 'gather');

const ofMode = (mode: Mode) => ({ seed: 9, runs: 60, modes: [mode] });
const runs = {
  fresh: { seed: randomInt(2 ** 31), runs: RUNS },
  seven: { seed: 7, runs: 25 },
  sevenAgain: { seed: 7, runs: 25 },
  eight: { seed: 8, runs: 25 },
  optimistic: ofMode('optimistic'),
  eventual: ofMode('eventual'),
  pessimistic: ofMode('pessimistic'),
  mixed: ofMode('mixed'),
};
let results: Record<keyof typeof runs, CheckResult>;
let fixed: CheckResult[];
/** Of all fixed seeds together. */
const counts: Record<string, number> = {};

beforeAll(async () => {
  const fixedRuns = FIXED_SEEDS.map((seed): [string, ThreadRun] => [`seed ${seed}`, { seed, runs: RUNS }]);
  const all = await checkInThread<string>({ ...runs, ...Object.fromEntries(fixedRuns) });
  results = all as typeof results;
  fixed = fixedRuns.map(([name]) => all[name] as CheckResult);
  for (const [name, count] of fixed.flatMap((result) => Object.entries(result.counts)))
    counts[name] = (counts[name] ?? 0) + count;
}, TIMEOUT_MS);

describe('the histories of fixed seeds', () => {
  it('break no invariant', () => {
    expect(fixed.map(told)).toEqual(FIXED_SEEDS.map(() => undefined));
    expect(fixed.map((result) => result.runs)).toEqual(FIXED_SEEDS.map(() => RUNS));
  });

  it.each(ports)('let workers die at %s: before, after, and with the call under way', (port) => {
    const deaths = lastFates.map((fate) => counts[`crashed at ${port}, ${fate}`] ?? 0);
    expect(Math.min(...deaths)).toBeGreaterThan(0);
  });

  it.each(portsThatFail.flatMap((port) => faults.map((fault) => [fault, port] as const)))(
    'have %s: %s',
    (fault, port) => {
      expect(counts[`${fault}: ${port}`]).toBeGreaterThan(0);
    },
  );

  it.each([
    'stale: load',
    'partial: send',
    'arrived late: commit',
    'arrived late: send',
    'arrived late: mark',
    'arrived late: release',
    'commits refused',
    'slim records',
    'plain records',
    'shared commits',
    'shared commits refused',
    'shared commits without an answer',
    'commits of 2 messages',
    'commits of 3 messages',
    'commits of 4 messages',
    'commits of several messages refused',
    'commits that check a saga',
    'sends of messages that were committed together',
    'commits that create a saga',
    'commits that update a saga',
    'commits that complete a saga',
    'leases taken over',
    'left behind: find',
    'left behind: commit',
    'left behind: send',
    'left behind: mark',
    'crashed asleep',
    'duplicates before the end',
    'duplicates after the end',
    'messages visible again',
    'redeliveries',
    'messages handled',
    'messages duplicate',
    'messages redispatched',
    'messages discarded',
    'messages failed',
    'messages sent again',
    'messages in dead letter queues',
    'messages in error queues',
    'messages ignored',
    'marks repeated',
    'relay runs',
    'records relayed',
    'messages behind a failed one',
    'schemas tightened',
    'discards',
    'discards refused: the message is committed',
    'discards refused: the message is discarded',
    'discards refused: the saga is not as it was read',
    'looks behind the end of their saga',
    'items shown before the answer',
    'reads before it is visible: saga',
    'reads before it is visible: record',
    'reads of an absent saga whose first record is visible',
    'torn reads: the saga, of a commit whose saga is created',
    'torn reads: the saga, of a commit whose saga is updated',
    'torn reads: the saga, of a commit whose saga is deleted',
    'torn reads: the record, of a commit whose saga is created',
    'torn reads: the record, of a commit whose saga is updated',
    'torn reads: the record, of a commit whose saga is deleted',
  ])('have several: %s', (name) => {
    expect(counts[name]).toBeGreaterThan(5);
  });
});

it('the histories of a fresh seed break no invariant', () => {
  // It tells the seed.
  expect(told(results.fresh)).toBeUndefined();
  expect(results.fresh.runs).toBe(RUNS);
});

describe('a seed', () => {
  it('makes the same histories each time', () => {
    const { seven, sevenAgain, eight } = results;
    expect(sevenAgain.counts).toEqual(seven.counts);
    expect(eight.counts).not.toEqual(seven.counts);
  });

  it.each(modes)('makes histories of one mode when it is asked to: %s', (mode) => {
    const has = (name: string) => results[mode].counts[name] !== undefined;
    expect(has('stale: load')).toBe(mode === 'eventual');
    expect(has('commits under a lease')).toBe(mode === 'pessimistic' || mode === 'mixed');
    expect(has('commits without a lease')).toBe(mode !== 'pessimistic');
  });

  it('makes no more histories once it is interrupted', async () => {
    const { runs } = await checkHistories({ seed: 1, runs: 1_000, signal: AbortSignal.abort() });
    expect(runs).toBe(0);
  });
});
