import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { headingAnchor } from './heading-anchor.ts';

export const repository = join(import.meta.dirname, '..');

/** Where TypeDoc writes to; not in the repository. */
const generated = 'site/api/';

/** What the site is made of, beside the generated pages; from the repository's root. */
const sources = [
  'docs/**/*.md',
  'examples/*/README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'THIRD-PARTY.md',
];

/** The pages that people wrote, from the repository's root. */
export function writtenPages(): string[] {
  return globSync(sources, { cwd: repository }).toSorted();
}

/** The pages of the API's docstrings, from the repository's root; none before TypeDoc has run. */
export function generatedPages(): string[] {
  return globSync(`${generated}**/*.md`, { cwd: repository }).toSorted();
}

/** Where a page is in the site; undefined for a file that is not in it. */
export function sitePath(source: string): string | undefined {
  if (source.startsWith('docs/')) return source.slice('docs/'.length);
  if (source.startsWith(generated)) return `reference/api/${source.slice(generated.length)}`;
  if (/^examples\/[^/]+\/README\.md$/.test(source)) return source.replace('/README.md', '.md');
  return /^[A-Z-]+\.md$/.test(source) && source !== 'README.md' ? source.toLowerCase() : undefined;
}

/** The first heading, or the one of an anchor, without the marks of code. */
export function titleOf(source: string, anchor?: string): string {
  const headings = readFileSync(join(repository, source), 'utf8').match(/^#+ .*$/gm) ?? [];
  const titles = headings.map((heading) => heading.replace(/^#+ /, ''));
  const title = anchor === undefined ? titles[0] : titles.find((each) => headingAnchor(each) === anchor);
  if (title === undefined) throw new Error(`${source} has no heading ${anchor}`);
  return title.replaceAll('`', '');
}

/** By entry point and name, `sagabox/testing testSaga`: the place of an export's generated page. */
export function pagesOfExports(): Map<string, string> {
  return new Map(
    generatedPages().map((source) => [
      `${entryPointOf(source)} ${basename(source, '.md')}`,
      `/${sitePath(source)}`,
    ]),
  );
}

/** Of a generated page, which is at `site/api/<entry point>/<kind>/<name>.md`. */
export function entryPointOf(source: string): string {
  return dirname(dirname(source)).slice(generated.length);
}
