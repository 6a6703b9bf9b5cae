import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Manifest } from '../../bin/package/manifest.ts';
import { packedFiles, packedPage } from '../../bin/package/packed-page.ts';
import { headingAnchor } from '../../site/heading-anchor.ts';
import { filesIn, readSources, repository } from '../support/source-files.ts';

const manifest: Manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const packedPages = packedFiles.filter((name) => name.endsWith('.md'));
const pages = [...packedPages, 'CONTRIBUTING.md', ...filesIn('docs', '.md'), ...filesIn('examples', '.md')];
const textOf = (path: string) => readFileSync(join(repository, path), 'utf8');

/** Without code, in which brackets are no links and `#` begins a comment. */
const proseOf = (path: string) => textOf(path).replace(/^```[\s\S]*?^```$/gm, '');

function linksOf(path: string): string[] {
  const prose = proseOf(path).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** As GitHub and the site derive them, numbered when repeated. */
function anchorsOf(path: string): string[] {
  const used = new Map<string, number>();
  return [...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => {
    const anchor = headingAnchor(title);
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

describe('the links of the pages', () => {
  it('are found', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(10);
  });

  it.each(pages)('of %s lead to files and headings', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(packedPages)('of %s lead to the package, the site or the repository in the package', (page) => {
    const { homepage } = manifest;
    const packed = packedPage(textOf(page), manifest).replace(/^```[\s\S]*?^```$/gm, '');
    const targets = [...packed.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target);
    const ours = targets.filter((target) => !/^https:/.test(target));
    expect(packedFiles).toEqual(expect.arrayContaining(ours));
    const pagesOfSite = targets.filter((target) => target.startsWith(homepage));
    const missing = pagesOfSite.filter((target) => {
      const source = target.replace(homepage, 'docs').replace('.html', '.md');
      return !existsSync(join(repository, source));
    });
    expect(missing).toEqual([]);
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
