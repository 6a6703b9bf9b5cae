import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './source-files.ts';

export const readPage = (path: string) => readFileSync(join(repository, 'docs', path), 'utf8');

/** A number or a `Duration` as pages write it: `{ seconds: 2 }`. */
export function written(value: unknown): string {
  const [[unit, count] = []] = Object.entries(Object(value));
  return unit === undefined ? String(value) : `{ ${unit}: ${count} }`;
}

/** The text under a heading, up to the next heading of its level or above. */
export function section(page: string, heading: string): string {
  const level = heading.indexOf(' ');
  const [, text = ''] = page.split(`\n${heading}\n`);
  const ends = new RegExp(`^#{1,${level}} `);
  const lines = text.split('\n');
  let isCode = false;
  // In code, a line that begins so is a comment.
  const end = lines.findIndex((line) => {
    if (/^ *```/.test(line)) isCode = !isCode;
    return !isCode && ends.test(line);
  });
  return lines.slice(0, end === -1 ? undefined : end).join('\n');
}

/** The rows of all tables, without their heads: cells by the names in the first one, without backticks. */
export function tableRows(text: string): Map<string, readonly string[]> {
  const tables = [...text.matchAll(/^\|.*\|\n\|[-:|]+\|\n((?:\|.*\|\n)*)/gm)];
  const rows = tables.flatMap(([, body = '']) => body.trim().split('\n')).filter((row) => row !== '');
  // Reversed: of two rows with one name, the first one counts.
  return new Map(
    rows.toReversed().flatMap((row) => {
      const [first = '', ...cells] = row
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim());
      const names = first.replaceAll('`', '').split(', ');
      return names.map((name) => [name, cells] as const);
    }),
  );
}
