import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../../support/source-files.ts';
import { checkPolls } from './check-polls.ts';
import { contributionMutations } from './contribution-mutations.ts';

/** More with `SAGABOX_POLLS=10000 npm test -- test/simulation/contributions`. */
const RUNS = Number(process.env.SAGABOX_POLLS ?? 10);
const SEED = 12;

describe('simulated contributions', () => {
  it('break nothing', async () => {
    const { failure, counts } = await checkPolls(SEED, RUNS);
    expect(failure).toBeUndefined();
    expect(counts.get('lives at rest')).toBeGreaterThan(RUNS / 3);
  });

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
