import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { repository } from '../../support/source-files.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { buildSimulation, linkPackages } from '../mutated-build.ts';
import { checkSessions } from './check-sessions.ts';
import { sessionMutations } from './session-mutations.ts';

/** Every mutation is to be caught within so many runs. */
const MAX_RUNS = 3_000;
const SEED = 1;

const inFolder = temporaryDirectory();

afterAll(() => stop());

describe('simulated sessions', () => {
  it('break nothing, and meet every end of every call', async () => {
    const { failure, counts } = await checkSessions(SEED, 300);
    expect(failure).toBeUndefined();
    for (const port of ['find', 'lease', 'commit', 'dispatch', 'mark'])
      for (const fate of ['answered', 'lost', 'refused', 'late', 'crash'])
        expect([port, fate, counts.get(`${port} ${fate}`)]).toEqual([port, fate, expect.any(Number)]);
    for (const end of ['answered 201', 'answered 422', 'answered 500', 'failed'])
      expect([end, counts.get(end)]).toEqual([end, expect.any(Number)]);
  });

  describe('with a mutation', () => {
    beforeAll(() => linkPackages(inFolder()));

    it.each(sessionMutations)('find that $name', async (mutation) => {
      const entry = 'test/simulation/sessions/check-sessions.ts';
      const module = await buildSimulation(
        inFolder(),
        `${sessionMutations.indexOf(mutation)}.mjs`,
        mutation,
        entry,
      );
      const mutated: typeof import('./check-sessions.ts') = await import(pathToFileURL(module).href);
      const { failure } = await mutated.checkSessions(SEED, MAX_RUNS);
      expect(mutation.breaks).toContain(failure?.invariant);
    });
  });

  it('are told on their page, with each mutation', async () => {
    const page = await readFile(join(repository, 'docs/proof/simulation.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]+) \| `(lib\/flow\/session\/[^|]+)` \| ([^|]+) \|$/gm)];
    expect(rows.map(([, name, file, breaks]) => [name, file, breaks])).toEqual(
      sessionMutations.map(({ name, file, breaks }) => [name, file, breaks.join(', ')]),
    );
  });
});
