import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, repository } from '../../test/support/source-files.ts';

/** Folders and files of `docs/`, by their readers, as CONTRIBUTING.md sorts them. */
const readers = {
  users: /^docs\/(guide\/|reference\/|index\.md$)/,
  maintainers: /^docs\/(design|proof)\//,
} as const;

export interface Pages {
  readonly changelogBytes: number;
  /** Lines of pages, blank ones included. */
  readonly lines: Readonly<Record<keyof typeof readers, number>>;
}

export function measurePages(): Pages {
  const read = (path: string) => ({ path, text: readFileSync(join(repository, path), 'utf8') });
  return {
    changelogBytes: statSync(join(repository, 'CHANGELOG.md')).size,
    lines: linesByReader(filesIn('docs', '.md').map(read)),
  };
}

/** @throws Error for a page that is in no folder of a reader */
export function linesByReader(
  pages: readonly { readonly path: string; readonly text: string }[],
): Pages['lines'] {
  const stray = pages.find(({ path }) => !Object.values(readers).some((pattern) => pattern.test(path)));
  if (stray) throw new Error(`${stray.path} is in no folder that bench/house/pages.ts knows`);
  const linesOf = (pattern: RegExp) =>
    pages
      .filter(({ path }) => pattern.test(path))
      .reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  return { users: linesOf(readers.users), maintainers: linesOf(readers.maintainers) };
}
