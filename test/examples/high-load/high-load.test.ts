import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type DesignName, designNames, designs } from '../../../examples/high-load/designs.ts';
import type { DesignFigures } from '../../../examples/high-load/measure/measure.ts';
import type { RoundFigures } from '../../../examples/high-load/measure/round.ts';
import { missingGains } from '../../../examples/high-load/report/gains.ts';
import { readCommand, usage } from '../../../examples/high-load/report/options.ts';
import { guidePage, withDesigns, withTables } from '../../../examples/high-load/report/page.ts';
import { section } from '../../support/page-tables.ts';
import { filesIn } from '../../support/source-files.ts';

/** Of the guide's table, in its order. */
const columns: Readonly<Record<keyof RoundFigures, string>> = {
  messages: 'messages',
  conflicts: 'conflicts',
  refusedLockAttempts: 'refused leases',
  deadLettered: 'dead-lettered',
  wcuPerMessage: 'WCU',
  refusedWcuPerMessage: 'refused WCU',
  rcuPerMessage: 'RCU',
  callsPerMessage: 'calls',
  millisPerMessage: 'time',
};

describe('the designs for high load', () => {
  it('import the package as a user does', () => {
    const measuring = ['design.ts', 'bookings.ts'];
    const sources = designNames.flatMap((name) => filesIn(`examples/high-load/${name}`, '.ts'));
    const own = sources.filter((path) => !measuring.some((file) => path.endsWith(`/${file}`)));
    expect(own.length).toBeGreaterThanOrEqual(designNames.length - 1);
    const imported = own.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier),
    );
    const packages = imported.filter((specifier) => !specifier?.startsWith('./'));
    expect([...new Set(packages)].sort()).toEqual([
      '@aws-sdk/client-dynamodb',
      'node:crypto',
      'node:timers/promises',
      'sagabox',
      'zod',
    ]);
  });
});

describe('npm run examples', () => {
  it('reads names and options', () => {
    const all = { names: designNames, report: false, short: false, jsonFile: undefined };
    expect(readCommand([])).toEqual({ run: all });
    expect(readCommand(['--report', '--json', 'a.json'])).toEqual({
      run: { ...all, report: true, jsonFile: 'a.json' },
    });
    expect(readCommand(['--short', 'chunking', 'sequential'])).toEqual({
      run: { ...all, short: true, names: ['chunking', 'sequential'] },
    });
    expect(readCommand(['--help'])).toEqual({ help: usage });
    for (const name of designNames) expect(usage).toContain(name);
  });

  it.each(['chunk', '--nope', '--json=', '--report --short', '--report chunking'])('refuses %j', (line) => {
    expect(readCommand(line.split(' '))).toEqual({ refused: expect.stringMatching(/\S/) });
  });
});

/** Run `npm run examples -- --report` if they differ. */
describe('docs/guide/cost-and-scale.md', () => {
  const page = readFileSync(guidePage, 'utf8');

  it('says of each design when to choose it, and when not to', () => {
    expect(withDesigns(page)).toBe(page);
    for (const [name, { title, when, notWhen }] of Object.entries(designs))
      expect(page).toContain(
        `| ${when} | [${title}](../../examples/high-load/${name}/README.md) | ${notWhen} |`,
      );
  });

  it('has two rows of figures for each design, in which the design gains what it is for', () => {
    const [heads = '', , ...rows] = section(page, '### Measured').match(/^\|.*\|$/gm) ?? [];
    const cellsOf = (row: string) => row.slice(2, -2).split(' | ');
    expect(cellsOf(heads).slice(1)).toEqual(Object.values(columns));
    const sides = Object.values(designs).flatMap(({ before, after }) => [before, after]);
    expect(rows.map((row) => cellsOf(row)[0])).toEqual(
      sides.map(({ label }) => expect.stringContaining(label)),
    );
    const figures = rows.map((row) => {
      const [, ...cells] = cellsOf(row);
      for (const cell of cells) expect(cell).toMatch(/^[\d.,]+( ms)?$/);
      const numbers = cells.map((cell) => Number(cell.replaceAll(/,| ms/g, '')));
      return Object.fromEntries(Object.keys(columns).map((figure, at) => [figure, numbers[at]]));
    }) as unknown as RoundFigures[];
    const published = Object.fromEntries(
      designNames.map((name, at) => [name, { before: figures[2 * at], after: figures[2 * at + 1] }]),
    ) as Record<DesignName, DesignFigures>;
    expect(missingGains(published)).toEqual([]);
    // The other way round, no design gains anything.
    for (const [name, { before, after }] of Object.entries(published)) {
      expect(missingGains({ [name]: { before: after, after: before } })).not.toEqual([]);
      expect(missingGains({ [name]: { before, after: before } })).not.toEqual([]);
    }
  });

  it('is refused without its markers', () => {
    const figures = { date: '2026-01-01', engine: 'none', designs: {} };
    expect(() => withTables('', figures)).toThrow("no marker 'measured'");
    expect(() => withDesigns('')).toThrow("no marker 'designs'");
  });
});
