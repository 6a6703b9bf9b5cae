import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { changeoverMutations } from './changeover-mutations.ts';
import { embeddedMutations } from './embedded-mutations.ts';
import { type Mutation, mutations } from './mutations.ts';
import { MAX_RUNS, type MutantResult, runMutants } from './run-mutants.ts';

afterAll(() => stop());

describe.each<{ outbox: string; mutations: readonly Mutation[]; maxRuns: number }>([
  { outbox: 'outbox records', mutations, maxRuns: MAX_RUNS },
  { outbox: 'an embedded outbox', mutations: embeddedMutations, maxRuns: 100 },
  { outbox: 'an outbox that changes over', mutations: changeoverMutations, maxRuns: 100 },
])('the simulation of sagas with $outbox', ({ mutations, maxRuns }) => {
  let results: Map<string, MutantResult>;

  beforeAll(async () => {
    results = await runMutants({ mutations, maxRuns });
  }, 300_000);

  it.each(mutations)('finds that $name, and nothing in the same histories without it', ({ name, breaks }) => {
    const { mutated, unmutated } = results.get(name) ?? {};
    expect(mutated?.failure?.message).toMatch(new RegExp(`^(${breaks.join('|')}): `));
    expect(mutated?.runs).toBeLessThanOrEqual(maxRuns);
    expect(unmutated?.failure).toBeUndefined();
    expect(unmutated?.runs).toBeGreaterThanOrEqual(mutated?.runs as number);
  });
});
