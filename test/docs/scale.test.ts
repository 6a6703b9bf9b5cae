import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../support/command-io.ts';
import { scalePage, scaleTableNames, withScaleTables } from './scale-tables.ts';

const page = await readFile(scalePage, 'utf8');

describe('docs/guide/scale.md', () => {
  it('has what the planner says: run test/docs/scale-tables.ts when it has not', () => {
    expect(page).toBe(withScaleTables(page));
  });

  it('has each table once', () => {
    const shown = [...page.matchAll(/<!-- scale: ([\w-]+) -->/g)].map(([, name]) => name);
    expect(shown.toSorted()).toEqual(scaleTableNames.toSorted());
  });

  it('has commands that run', async () => {
    const lines = [...page.matchAll(/^npx sagabox (.*)$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      const { exitCode, err } = await runCommandLine(...line.split(' '));
      expect([line, exitCode, err]).toEqual([line, 0, '']);
    }
  });
});
