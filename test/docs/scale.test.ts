import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../support/command-io.ts';
import { readPage } from '../support/page-tables.ts';
import { scalePages, scaleTableNames, withScaleTables } from './scale-tables.ts';

it.each([...scalePages])(
  'docs/%s has what the planner says: run test/docs/scale-tables.ts when it has not',
  (name) => {
    const page = readPage(name);
    expect(page).toMatch(/<!-- scale: [\w-]+ -->\n\n./);
    expect(page).toBe(withScaleTables(page));
  },
);

it('the pages of scale have each table once', () => {
  const pages = scalePages.map(readPage).join('');
  const shown = [...pages.matchAll(/<!-- scale: ([\w-]+) -->/g)].map(([, name]) => name);
  expect(shown.toSorted()).toEqual(scaleTableNames.toSorted());
});

describe('docs/guide/cost-and-scale.md', () => {
  it('has commands that run', async () => {
    const page = readPage('guide/cost-and-scale.md');
    const lines = [...page.matchAll(/^npx sagabox (.*)$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      const { exitCode, err } = await runCommandLine(...line.split(' '));
      expect([line, exitCode, err]).toEqual([line, 0, '']);
    }
  });
});
