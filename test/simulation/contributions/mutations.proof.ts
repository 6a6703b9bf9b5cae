import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { buildSimulation, linkPackages } from '../mutated-build.ts';
import { contributionMutations } from './contribution-mutations.ts';

/** Every mutation is to be caught within so many runs. */
const MAX_RUNS = 1_000;
/** That of the mutations that have none of their own. */
const SEED = 12;
const TIMEOUT_MS = 1_200_000;

const inFolder = temporaryDirectory();

describe('simulated contributions with a mutation', () => {
  beforeAll(() => linkPackages(inFolder()));
  afterAll(() => stop());

  it.each(contributionMutations)(
    'find that $name',
    async (mutation) => {
      const entry = 'test/simulation/contributions/check-polls.ts';
      const fileName = `${contributionMutations.indexOf(mutation)}.mjs`;
      const module = await buildSimulation(inFolder(), fileName, mutation, entry);
      const mutated: typeof import('./check-polls.ts') = await import(pathToFileURL(module).href);
      const { failure } = await mutated.checkPolls(mutation.seed ?? SEED, MAX_RUNS);
      expect(mutation.breaks).toContain(failure?.invariant);
    },
    TIMEOUT_MS,
  );
});
