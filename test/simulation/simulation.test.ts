import { describe, expect, it } from '@jest/globals';
import { type CheckOptions, checkHistories } from './check-histories.ts';
import { describeFailure } from './describe-result.ts';
import { planNames } from './outbox-plans.ts';
import { modes } from './scenario.ts';

/** The proofs make hundreds, `npm run simulate` as many as you like. */
const runs = 10;
/** Its first histories show most of the known mutations. */
const seed = 8;

async function countsOf(options: Omit<CheckOptions, 'runs'>) {
  return (await checkHistories({ runs, ...options })).counts;
}

it.each(planNames)('the first histories of a seed break no invariant: %s', async (outbox) => {
  const { failure, ...result } = await checkHistories({ seed, runs, outbox });
  expect(failure && describeFailure(failure)).toBeUndefined();
  expect(result.runs).toBe(runs);
});

describe('a seed', () => {
  it('makes the same histories each time', async () => {
    const counts = await countsOf({ seed: 7 });
    expect(await countsOf({ seed: 7 })).toEqual(counts);
    expect(await countsOf({ seed })).not.toEqual(counts);
  });

  it.each(modes)('makes histories of one mode when it is asked to: %s', async (mode) => {
    const counts = await countsOf({ seed, modes: [mode] });
    expect('stale: load' in counts).toBe(mode === 'eventual');
    const [commits = 0, ofCrowds = 0] = ['commits under a lease', 'leases of a crowd'].map(
      (name) => counts[name],
    );
    expect(commits > ofCrowds).toBe(mode === 'pessimistic' || mode === 'mixed');
    expect('commits without a lease' in counts).toBe(mode !== 'pessimistic');
  });

  it('makes no more histories once it is interrupted', async () => {
    const { runs } = await checkHistories({ seed: 1, runs: 1_000, signal: AbortSignal.abort() });
    expect(runs).toBe(0);
  });
});
