import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesIn, readSources, repository } from '../support/source-files.ts';

const shipped = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).files as string[];
const pages = ['README.md', 'CONTRIBUTING.md', ...filesIn('docs', '.md')];
const textOf = (path: string) => readFileSync(join(repository, path), 'utf8');

/** Without code, in which brackets are no links and `#` begins a comment. */
const proseOf = (path: string) => textOf(path).replace(/^```[\s\S]*?^```$/gm, '');

function linksOf(path: string): string[] {
  const prose = proseOf(path).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** As GitHub derives them: lower case, without punctuation, numbered when repeated. */
function anchorsOf(path: string): string[] {
  const used = new Map<string, number>();
  return [...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = used.get(anchor) ?? 0;
    used.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

const targetOf = (page: string, link: string) => {
  const [file = '', anchor] = link.split('#');
  return { file: file === '' ? page : normalize(join(dirname(page), file)), anchor };
};

function brokenLinks(page: string): string[] {
  return linksOf(page).filter((link) => {
    const { file, anchor } = targetOf(page, link);
    if (!existsSync(join(repository, file))) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });
}

/** npm adds these to what `files` names. */
const alwaysShipped = ['README.md', 'LICENSE', 'package.json'];

const isShipped = (path: string) =>
  alwaysShipped.includes(path) ||
  shipped.some((entry) => matchesGlob(path, entry) || path.startsWith(`${entry}/`));

describe('the links of the pages', () => {
  it('are found', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(10);
  });

  it.each(pages)('of %s lead to files and headings', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it('of pages in the package stay within it', () => {
    expect(pages.filter(isShipped)).toContain('README.md');
    const leaving = pages.filter(isShipped).flatMap((page) =>
      linksOf(page)
        .map((link) => targetOf(page, link).file)
        .filter((file) => !isShipped(file))
        .map((file) => `${page} -> ${file}`),
    );
    expect(leaving).toEqual([]);
  });
});

it('every page that the code names is there', () => {
  const named = ['lib', 'bench', 'test', 'examples', 'bin', 'lambdas'].flatMap((folder) =>
    readSources(folder).flatMap(({ path, text }) =>
      [...text.matchAll(/\bdocs\/[\w/-]+\.(?:md|json)\b/g)].map(([file]) => `${path}: ${file}`),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((entry) => !existsSync(join(repository, entry.split(': ')[1] ?? '')))).toEqual([]);
});
