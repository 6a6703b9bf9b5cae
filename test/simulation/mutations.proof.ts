import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { changeoverMutations } from './changeover-mutations.ts';
import { embeddedMutations } from './embedded-mutations.ts';
import { type Mutation, mutations } from './mutations.ts';
import { MAX_RUNS, type MutantResult, runMutants } from './run-mutants.ts';

/** Those of a seed of their own are to be caught in so few of its histories. */
const FEW_RUNS = 100;

afterAll(() => stop());

describe.each<{ outbox: string; mutations: readonly Mutation[]; maxRuns: number }>([
  { outbox: 'outbox records', mutations, maxRuns: MAX_RUNS },
  { outbox: 'an embedded outbox', mutations: embeddedMutations, maxRuns: FEW_RUNS },
  { outbox: 'an outbox that changes over', mutations: changeoverMutations, maxRuns: FEW_RUNS },
])('the simulation of sagas with $outbox', ({ mutations, maxRuns }) => {
  let results: Map<string, MutantResult>;

  beforeAll(async () => {
    results = await runMutants({ mutations, maxRuns });
  }, 300_000);

  it.each(mutations)('finds that $name, and nothing in the same histories without it', ({ name, breaks }) => {
    const { mutated, unmutated } = results.get(name) ?? {};
    expect(mutated?.failure?.message).toMatch(new RegExp(`^(${breaks.join('|')}): `));
    expect(unmutated?.failure).toBeUndefined();
    expect(unmutated?.runs).toBeGreaterThanOrEqual(mutated?.runs as number);
  });
});
