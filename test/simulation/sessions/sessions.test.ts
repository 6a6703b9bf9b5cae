import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../../support/source-files.ts';
import { checkSessions } from './check-sessions.ts';
import { sessionMutations } from './session-mutations.ts';

const SEED = 1;

describe('simulated sessions', () => {
  it('break nothing, and end in every way', async () => {
    const { failure, counts } = await checkSessions(SEED, 30);
    expect(failure).toBeUndefined();
    for (const end of ['answered 201', 'answered 422', 'answered 500', 'failed'])
      expect([end, counts.get(end)]).toEqual([end, expect.any(Number)]);
  });

  it('are told on their page, with each mutation', async () => {
    const page = await readFile(join(repository, 'docs/proof/simulation.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]+) \| `(lib\/session\/line\/[^|]+)` \| ([^|]+) \|$/gm)];
    expect(rows.map(([, name, file, breaks]) => [name, file, breaks])).toEqual(
      sessionMutations.map(({ name, file, breaks }) => [name, file, breaks.join(', ')]),
    );
  });
});
