import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { repository } from '../support/source-files.ts';
import type { CheckResult } from './check-histories.ts';
import { checkInThread } from './check-in-thread.ts';
import { describeFailure } from './describe-result.ts';
import { embeddedMutations } from './embedded-mutations.ts';
import { mutate } from './mutated-build.ts';
import { type MutantResult, runMutants } from './run-mutants.ts';

const FIXED_SEED = 10;
const FIXED_RUNS = 400;
const FRESH_RUNS = 100;
/** Each mutation is to be caught in so few histories of its seed. */
const MAX_RUNS = 100;
const TIMEOUT_MS = 300_000;
const outbox = 'embedded';

afterAll(() => stop());

/** All that is needed to repeat the failure, if there is one. */
function told(result: CheckResult | undefined): string | undefined {
  return result?.failure && describeFailure(result.failure);
}

describe('histories of a saga with an embedded outbox', () => {
  let results: Record<'fixed' | 'fresh', CheckResult>;

  beforeAll(async () => {
    results = await checkInThread({
      fixed: { seed: FIXED_SEED, runs: FIXED_RUNS, outbox },
      fresh: { seed: randomInt(2 ** 31), runs: FRESH_RUNS, outbox },
    });
  }, TIMEOUT_MS);

  it.each(['fixed', 'fresh'] as const)('of a %s seed break no invariant', (name) => {
    expect(told(results[name])).toBeUndefined();
  });

  it.each([
    'stale: load',
    'lost: commit',
    'late: commit',
    'refused: mark',
    'lost: mark',
    'crashed at mark, dropped',
    'crashed at mark, applied',
    'leases taken over',
    'shared commits',
    'commits of 3 messages',
    'commits that leave a state',
    'commits that leave a tombstone',
    'commits on an expired tombstone',
    'commits that do not fit into the item',
    'commits of a full inbox',
    'commits of a full inbox on a tombstone',
    'starts on a tombstone',
    'tombstones written again',
    'tombstones that a mark lets expire',
    'tombstones deleted by their time to live',
    'marks that let a tombstone expire',
    'progress kept in an item',
    'entries relayed',
    'copies at the end of the deduplication period',
    'messages redispatched',
    'messages duplicate',
    'messages discarded',
    'messages ignored',
    'reads before it is visible: saga',
    'reads before it is visible: record',
    'torn reads: the saga, of a commit whose saga is created',
    'torn reads: the saga, of a commit whose saga is updated',
  ])('of a fixed seed have some: %s', (name) => {
    expect(results.fixed.counts[name]).toBeGreaterThan(0);
  });
});

describe('the simulation of an embedded outbox', () => {
  let results: Map<string, MutantResult>;

  beforeAll(async () => {
    results = await runMutants({ mutations: embeddedMutations, maxRuns: MAX_RUNS });
  }, TIMEOUT_MS);

  it.each(embeddedMutations)('finds that $name, and nothing in the same histories without it', (mutation) => {
    const { name, breaks } = mutation;
    const { mutated, unmutated } = results.get(name) ?? {};
    expect(mutated?.failure?.message).toMatch(new RegExp(`^(${breaks.join('|')}): `));
    expect(unmutated?.failure).toBeUndefined();
    expect(unmutated?.runs).toBeGreaterThanOrEqual(mutated?.runs as number);
  });

  it.each(embeddedMutations)('has the piece of a mutation exactly once: $name', async (mutation) => {
    const source = await readFile(join(repository, mutation.file), 'utf8');
    expect(mutate(source, mutation, mutation.name)).not.toBe(source);
  });

  it('tells its mutations on its page', async () => {
    const page = await readFile(join(repository, 'docs/proof/simulation.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]+) \| `(lib\/[^|]+)` \| (\w+) \| (\d+) \| ([^|]+) \|$/gm)];
    expect(
      rows.map(([, name, file, modes, seed, breaks]) => [name, file, modes, Number(seed), breaks]),
    ).toEqual(
      embeddedMutations.map(({ name, file, modes = ['all'], seed, breaks }) => {
        return [name, file, modes.join(', '), seed, breaks.join(', ')];
      }),
    );
  });
});
