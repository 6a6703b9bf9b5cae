import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { buildSimulation, linkPackages } from '../mutated-build.ts';
import { sessionMutations } from './session-mutations.ts';

/** Every mutation is to be caught within so many runs. */
const MAX_RUNS = 3_000;
const SEED = 1;

const inFolder = temporaryDirectory();

describe('simulated sessions with a mutation', () => {
  beforeAll(() => linkPackages(inFolder()));
  afterAll(() => stop());

  it.each(sessionMutations)('find that $name', async (mutation) => {
    const entry = 'test/simulation/sessions/check-sessions.ts';
    const fileName = `${sessionMutations.indexOf(mutation)}.mjs`;
    const module = await buildSimulation(inFolder(), fileName, mutation, entry);
    const mutated: typeof import('./check-sessions.ts') = await import(pathToFileURL(module).href);
    const { failure } = await mutated.checkSessions(SEED, MAX_RUNS);
    expect(mutation.breaks).toContain(failure?.invariant);
  });
});
