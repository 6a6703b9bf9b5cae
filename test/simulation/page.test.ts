import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';
import { mutations } from './mutations.ts';
import { MAX_RUNS } from './run-mutants.ts';

const page = await readFile(join(repository, 'docs/proof/simulation.md'), 'utf8');
const rows = [...page.matchAll(/^\| ([^|]+) \| `(lib\/[^|]+)` \| ([^|]+) \| ([^|]+) \| ([\d,]+) \|$/gm)].map(
  ([, name = '', file, modes, invariant, runs = '']) => ({
    name,
    file,
    modes,
    invariant,
    runs: Number(runs.replaceAll(',', '')),
  }),
);

describe('the page of the simulation', () => {
  it('tells the mutations, where they are, and in which modes they are looked for', () => {
    expect(rows.map(({ name, file, modes }) => ({ name, file, modes }))).toEqual(
      mutations.map(({ name, file, modes }) => ({ name, file, modes: modes?.join(', ') ?? 'all' })),
    );
  });

  it.each(rows)('tells as what $name is found, and within how many runs', ({ name, invariant, runs }) => {
    const breaks: readonly string[] = mutations.find((mutation) => mutation.name === name)?.breaks ?? [];
    expect(breaks).toContain(invariant);
    expect(runs).toBeGreaterThan(0);
    expect(runs).toBeLessThanOrEqual(MAX_RUNS);
  });

  it('has the number of runs that a mutation may take', () => {
    expect(page).toContain(`within ${MAX_RUNS.toLocaleString('en')} runs`);
  });
});
