import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allSettings } from '../support/all-settings.ts';
import { readSources } from '../support/source-files.ts';
import { withLinks } from './linked-mentions.ts';
import { cell } from './prop-tables.ts';

export const optionsPage = new URL('../../docs/reference/options.md', import.meta.url);

const marked = /(<!-- settings -->\n)[\s\S]*?(<!-- end -->)/;
const row = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+Setting: [\s\S]*?\bvariable: '(\w+)'/g;

/** The page with the table of the variables between its markers, as the rows of lib/settings say. */
export function withSettingTable(page: string): string {
  if (!marked.test(page)) throw new Error('The page has no place for the table of the variables');
  return page.replace(marked, (_all, start: string, end: string) => `${start}\n${settingTable()}\n${end}`);
}

export function settingTable(): string {
  const docstrings = new Map(
    readSources('lib/settings').flatMap(({ text }) =>
      [...text.matchAll(row)].map(([, docstring = '', variable = '']) => [variable, docstring] as const),
    ),
  );
  const sorted = allSettings.toSorted((one, other) => one.variable.localeCompare(other.variable));
  const rows = sorted.map(({ option, variable }) => {
    const [meaning = '', fallback = ''] = plain(docstrings.get(variable) ?? '').split(' @default - ');
    if (meaning === '' || fallback === '') throw new Error(`${variable} is not documented`);
    return [`\`${variable}\``, option === undefined ? '' : `\`${option}\``, fallback, withLinks(meaning)];
  });
  const head = ['variable', 'option', 'default', 'holds'];
  const lines = [head, ...rows].map((cells) =>
    `| ${cells.map(cell).join(' | ')} |\n`.replaceAll('|  |', '| |'),
  );
  return [lines[0], `|${'---|'.repeat(head.length)}\n`, ...lines.slice(1)].join('');
}

function plain(docstring: string): string {
  return docstring.replace(/^ *\*/gm, '').trim().replace(/\s+/g, ' ');
}

// node --conditions=sagabox-source test/docs/setting-table.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(optionsPage, withSettingTable(readFileSync(optionsPage, 'utf8')));
