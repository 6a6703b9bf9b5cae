import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CheckResult, checkHistories } from './check-histories.ts';
import { checkInThread } from './check-in-thread.ts';
import { describeFailure } from './describe-result.ts';
import { type Mode, modes } from './scenario.ts';

/** `npm run simulate` makes as many as you like. */
const RUNS = 250;
const TIMEOUT_MS = 600_000;

/** All that is needed to repeat the failure, if there is one. */
function told({ failure }: CheckResult): string | undefined {
  return failure && describeFailure(failure);
}

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

beforeAll(async () => {
  results = await checkInThread(runs);
}, TIMEOUT_MS);

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
