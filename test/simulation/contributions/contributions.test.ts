import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../../support/source-files.ts';
import { checkPolls } from './check-polls.ts';
import { contributionMutations } from './contribution-mutations.ts';

/** More with `SAGABOX_POLLS=10000 npm test -- test/simulation/contributions`. */
const RUNS = Number(process.env.SAGABOX_POLLS ?? 100);
const SEED = 12;
const TIMEOUT_MS = 600_000;

describe('simulated contributions', () => {
  it(
    'break nothing, and meet every end of every call',
    async () => {
      const { failure, counts } = await checkPolls(SEED, RUNS);
      expect(failure).toBeUndefined();
      for (const port of ['find', 'load', 'acquire', 'pause', 'collect', 'commit'])
        for (const fate of ['answered', 'lost', 'refused', 'crash'])
          expect([port, fate, counts.get(`${port} ${fate}`)]).toEqual([port, fate, expect.any(Number)]);
      expect(counts.get('dispatch answered')).toBeGreaterThan(0);
      expect(counts.get('lives at rest')).toBeGreaterThan(RUNS / 3);
    },
    TIMEOUT_MS,
  );

  it('are told on their page, with each mutation', async () => {
    const page = await readFile(join(repository, 'docs/proof/simulation.md'), 'utf8');
    const [, section = ''] = page.split('\n## Contributions\n');
    const [table = ''] = section.split('\n## ');
    const rows = [...table.matchAll(/^\| ([^|]+) \| `(lib\/[^|]+)` \| ([^|]+) \|$/gm)];
    expect(rows.map(([, name, file, breaks]) => [name, file, breaks])).toEqual(
      contributionMutations.map(({ name, file, breaks }) => [name, file, breaks.join(', ')]),
    );
  });
});
