import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { optionChecks } from '../../lib/compose/assert-options.ts';
import { settingTable } from '../docs/setting-table.ts';
import { allSettings } from '../support/all-settings.ts';
import { filesIn, readSources, repository } from '../support/source-files.ts';

const sources = readSources('lib');
const variables = allSettings.map(({ variable }): string => variable);

/** Variables that no construct sets. */
const others = [
  'SAGABOX_DYNAMODB_ENDPOINT',
  'SAGABOX_DYNAMODB_ENGINE',
  'SAGABOX_LOCAL_FUNCTION_ARN',
  'SAGABOX_BOOKINGS',
  'SAGABOX_GATHERINGS',
  'SAGABOX_FUZZ_RUNS',
  'SAGABOX_FUZZ_SEED',
  'SAGABOX_FUZZ_CASE_MS',
  'SAGABOX_MUTATE_STATIC',
  'SAGABOX_POLLS',
];

/** What sends stands below the table, and two remedies of it name what to set. */
const remedies: Readonly<Record<string, string>> = {
  SAGABOX_DESTINATIONS: 'lib/messages/destinations/destination.ts',
  SAGABOX_PUBLISH_TO: 'lib/sending/unit-of-work.ts',
};

const namesIn = (text: string): readonly string[] => text.match(/\bSAGABOX_[A-Z_]*[A-Z]/g) ?? [];

describe('the row of a setting', () => {
  it.each(variables)('is all code that names %s', (variable) => {
    const files = sources.filter(({ code }) => namesIn(code).includes(variable)).map(({ path }) => path);
    const rows = files.filter((path) => path.startsWith('lib/settings/'));
    expect(rows).toHaveLength(1);
    expect(files.filter((path) => !rows.includes(path))).toEqual(
      remedies[variable] === undefined ? [] : [remedies[variable]],
    );
  });

  it('is there for each variable that sources, comments and pages name', () => {
    const pages = filesIn('docs', '.md').map((path) => readFileSync(join(repository, path), 'utf8'));
    const named = new Set([...sources.map(({ text }) => text), ...pages].flatMap(namesIn));
    expect([...named].filter((name) => !variables.includes(name) && !others.includes(name))).toEqual([]);
  });

  it.each(allSettings)(
    'of $variable is used by constructs and runtime, and its option is one',
    ({ option, variable }) => {
      const declaration = new RegExp(
        `export const (\\w+): \\w*Setting\\b[^=]*= \\{[^}]*variable: '${variable}'`,
      );
      const [, row = ''] = sources.flatMap(({ code }) => declaration.exec(code) ?? []);
      const users = sources.filter(
        ({ path, code }) => !path.startsWith('lib/settings/') && code.includes(row),
      );
      const folders = new Set(users.map(({ path }) => path.split('/')[1]));
      expect([row, [...folders]]).toEqual([
        expect.stringMatching(/Setting$/),
        expect.arrayContaining(['compose', 'constructs']),
      ]);
      expect(option === undefined || Object.hasOwn(optionChecks, option)).toBe(true);
      expect(settingTable()).toContain(`\`${variable}\``);
    },
  );
});
