import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { repository } from '../support/source-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { changeoverMutations } from './changeover-mutations.ts';
import { commandFor } from './describe-result.ts';
import { embeddedMutations } from './embedded-mutations.ts';
import { buildSimulation, linkPackages, mutate } from './mutated-build.ts';
import { type Mutation, mutations } from './mutations.ts';
import { MAX_RUNS } from './run-mutants.ts';

const inFolder = temporaryDirectory();

afterAll(() => stop());

describe('a mutation', () => {
  const [mutation] = mutations;
  if (mutation === undefined) throw new Error('There is no mutation');

  it.each([...mutations, ...embeddedMutations, ...changeoverMutations])(
    'has its piece in the source exactly once: $name',
    async (each) => {
      const source = await readFile(join(repository, each.file), 'utf8');
      const mutated = mutate(source, each, each.name);
      expect(mutated).not.toBe(source);
      expect(mutated).toHaveLength(source.length - each.piece.length + each.becomes.length);
    },
  );

  it.each([
    ['no piece', '', '0 times'],
    ['two', `${mutation.piece} ${mutation.piece}`, '2 times'],
  ])('is refused for a source with %s', (_what, source, told) => {
    expect(() => mutate(source, mutation, mutation.name)).toThrow(told);
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
