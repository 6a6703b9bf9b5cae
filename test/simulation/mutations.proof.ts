import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { changeoverMutations } from './changeover-mutations.ts';
import { commandFor } from './describe-result.ts';
import { embeddedMutations } from './embedded-mutations.ts';
import { buildSimulation, linkPackages } from './mutated-build.ts';
import { type Mutation, mutations } from './mutations.ts';
import { MAX_RUNS, type MutantResult, runMutants } from './run-mutants.ts';

/** All mutations take five minutes of two processors that do nothing else, and an hour beside a load of 20. */
const TIMEOUT_MS = 2 * 3_600_000;

/** Those of a seed of their own are to be caught in so few of its histories. */
const FEW_RUNS = 100;

const inFolder = temporaryDirectory();

afterAll(() => stop());

describe.each<{ outbox: string; mutations: readonly Mutation[]; maxRuns: number }>([
  { outbox: 'outbox records', mutations, maxRuns: MAX_RUNS },
  { outbox: 'an embedded outbox', mutations: embeddedMutations, maxRuns: FEW_RUNS },
  { outbox: 'an outbox that changes over', mutations: changeoverMutations, maxRuns: FEW_RUNS },
])('the simulation of sagas with $outbox', ({ mutations, maxRuns }) => {
  let results: Map<string, MutantResult>;

  beforeAll(async () => {
    results = await runMutants({ mutations, maxRuns });
  }, TIMEOUT_MS);

  it.each(mutations)('finds that $name, and nothing in the same histories without it', ({ name, breaks }) => {
    const { mutated, unmutated } = results.get(name) ?? {};
    expect(mutated?.failure?.message).toMatch(new RegExp(`^(${breaks.join('|')}): `));
    expect(unmutated?.failure).toBeUndefined();
    expect(unmutated?.runs).toBeGreaterThanOrEqual(mutated?.runs as number);
  });
});

describe('a failure', () => {
  it('is told with its smallest history, and is repeated by its seed and path', async () => {
    const name = 'the mark comes before the dispatch';
    const mutation = mutations.find((each) => each.name === name) as Mutation;
    await linkPackages(inFolder());
    const module = pathToFileURL(await buildSimulation(inFolder(), 'mutated.mjs', mutation)).href;
    const { checkHistories }: typeof import('./check-histories.ts') = await import(module);
    const { failure } = await checkHistories({ seed: 8, runs: MAX_RUNS });
    if (failure === undefined) throw new Error('It was not found');
    const { seed, path, history } = failure;
    const [scenario = '', steps, ...trace] = history;
    expect(JSON.parse(scenario).messages).toHaveLength(1);
    expect(steps).not.toContain('(');
    expect(trace.at(-2)).toContain('worker 1: mark of m1 is answered');
    expect(trace.at(-1)).toContain("VIOLATION of I5: 'm1' is marked before it is dispatched");
    expect(commandFor(failure)).toBe(`npm run simulate -- --seed ${seed} --mode all --path '${path}'`);

    const repeated = await checkHistories({ seed, path, runs: 1 });
    expect(repeated).toMatchObject({ runs: 1, failure: { history, message: failure.message } });
  });
});
