import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { repository } from '../support/source-files.ts';
import { changeoverMutations } from './changeover-mutations.ts';
import type { CheckResult } from './check-histories.ts';
import { checkInThread, type ThreadRun } from './check-in-thread.ts';
import { describeFailure } from './describe-result.ts';
import { mutate } from './mutated-build.ts';
import type { OutboxPlan } from './outbox-plans.ts';
import { type MutantResult, runMutants } from './run-mutants.ts';

const FIXED_SEED = 9;
const FIXED_RUNS = 90;
const FRESH_RUNS = 30;
/** Each mutation is to be caught in so few histories of its seed. */
const MAX_RUNS = 100;
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

afterAll(() => stop());

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

describe('the simulation of a saga whose outbox changes over', () => {
  let results: Map<string, MutantResult>;

  beforeAll(async () => {
    results = await runMutants({ mutations: changeoverMutations, maxRuns: MAX_RUNS });
  }, TIMEOUT_MS);

  it.each(changeoverMutations)(
    'finds that $name, and nothing in the same histories without it',
    (mutation) => {
      const { name, breaks } = mutation;
      const { mutated, unmutated } = results.get(name) ?? {};
      expect(mutated?.failure?.message).toMatch(new RegExp(`^(${breaks.join('|')}): `));
      expect(unmutated?.failure).toBeUndefined();
      expect(unmutated?.runs).toBeGreaterThanOrEqual(mutated?.runs as number);
    },
  );

  it.each(changeoverMutations)('has the piece of a mutation exactly once: $name', async (mutation) => {
    const source = await readFile(join(repository, mutation.file), 'utf8');
    expect(mutate(source, mutation, mutation.name)).not.toBe(source);
  });

  it('tells its mutations on its page', async () => {
    const page = await readFile(join(repository, 'docs/proof/simulation.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]+) \| `(lib\/[^|]+)` \| `([^|]+)` \| (\d+) \| ([^|]+) \|$/gm)];
    expect(
      rows.map(([, name, file, plan, seed, breaks]) => [name, file, plan, Number(seed), breaks]),
    ).toEqual(
      changeoverMutations.map(({ name, file, outbox, seed, breaks }) => [
        name,
        file,
        outbox,
        seed,
        breaks.join(', '),
      ]),
    );
  });
});
