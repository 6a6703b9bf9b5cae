import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '../support/source-files.ts';
import { changeoverMutations } from './changeover-mutations.ts';
import { embeddedMutations } from './embedded-mutations.ts';
import { mutations } from './mutations.ts';
import { MAX_RUNS, seedOf } from './run-mutants.ts';

const page = await readFile(join(repository, 'docs/proof/simulation.md'), 'utf8');
const rows = [
  ...page.matchAll(/^\| ([^|]+) \| `((?:lib|test)\/[^|]+)` \| ([^|]+) \| (\d+) \| ([^|]+) \| ([\d,]+) \|$/gm),
].map(([, name = '', file, modes, seed, invariant, runs = '']) => ({
  name,
  file,
  modes,
  seed: Number(seed),
  invariant,
  runs: Number(runs.replaceAll(',', '')),
}));

describe('the page of the simulation', () => {
  it('tells the mutations, where they are, and in which modes and with which seed they are looked for', () => {
    expect(rows.map(({ name, file, modes, seed }) => ({ name, file, modes, seed }))).toEqual(
      mutations.map((mutation) => {
        const { name, file, modes } = mutation;
        return { name, file, modes: modes?.join(', ') ?? 'all', seed: seedOf(mutation) };
      }),
    );
  });

  it.each(rows)('tells as what $name is found, and within how many runs', ({ name, invariant, runs }) => {
    const breaks: readonly string[] = mutations.find((mutation) => mutation.name === name)?.breaks ?? [];
    expect(breaks).toContain(invariant);
    expect(runs).toBeGreaterThan(0);
    expect(runs).toBeLessThanOrEqual(MAX_RUNS);
  });

  it('tells those of an embedded outbox', () => {
    const rows = [
      ...page.matchAll(/^\| ([^|]+) \| `((?:lib|test)\/[^|]+)` \| (\w+) \| (\d+) \| ([^|]+) \|$/gm),
    ];
    expect(
      rows.map(([, name, file, modes, seed, breaks]) => [name, file, modes, Number(seed), breaks]),
    ).toEqual(
      embeddedMutations.map(({ name, file, modes = ['all'], seed, breaks }) => {
        return [name, file, modes.join(', '), seed, breaks.join(', ')];
      }),
    );
  });

  it('tells those of an outbox that changes over', () => {
    const rows = [
      ...page.matchAll(/^\| ([^|]+) \| `((?:lib|test)\/[^|]+)` \| `([^|]+)` \| (\d+) \| ([^|]+) \|$/gm),
    ];
    expect(
      rows.map(([, name, file, plan, seed, breaks]) => [name, file, plan, Number(seed), breaks]),
    ).toEqual(
      changeoverMutations.map(({ name, file, outbox, seed, breaks }) => {
        return [name, file, outbox, seed, breaks.join(', ')];
      }),
    );
  });

  it('has the number of runs that a mutation may take', () => {
    expect(page).toContain(`within ${MAX_RUNS.toLocaleString('en')} runs`);
  });
});
