import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readPage, section, tableRows } from '../support/page-tables.ts';
import { repository } from '../support/source-files.ts';

const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const entryPoints = Object.entries<{ 'sagabox-source'?: string }>(exports).flatMap(
  ([subPath, { 'sagabox-source': source }]) =>
    source === undefined ? [] : [[join('sagabox', subPath), source] as const],
);

/** The names after `export { … } from` and `export type { … } from`. */
function exportsOf(source: string): string[] {
  const text = readFileSync(join(repository, source), 'utf8');
  expect(text).not.toContain('export *');
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace(/^\s*(?:type )?/, '').replace(/^\w+ as /, ''))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

it.each(entryPoints)('docs/reference/api.md lists every export of %s, and nothing else', (name, source) => {
  const names = exportsOf(source);
  expect(names.length).toBeGreaterThan(0);
  const rows = tableRows(section(readPage('reference/api.md'), `## \`${name}\``));
  expect([...rows.keys()].toSorted()).toEqual(names.toSorted());
  for (const [, description] of rows.values()) expect(description).toMatch(/\w.*\.$/);
});
