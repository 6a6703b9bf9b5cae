import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { existingGroups, pageGroups } from '../../site/navigation.ts';
import { sitePath, titleOf, writtenPages } from '../../site/pages.ts';
import { tableRows } from '../support/page-tables.ts';
import { filesIn, repository } from '../support/source-files.ts';

const home = 'docs/index.md';
const textOf = (path: string) => readFileSync(join(repository, path), 'utf8');

describe('the sidebar of the site', () => {
  const written = writtenPages();
  const listed = existingGroups(written).flatMap(({ pages }) => pages);

  it('has every page exactly once, except for the home page: add a new one to site/navigation.ts', () => {
    expect(written).toEqual(expect.arrayContaining(filesIn('docs', '.md')));
    expect(listed.toSorted()).toEqual(written.filter((page) => page !== home));
  });

  it('leads to a place of its own for each', () => {
    const places = written.map(sitePath);
    expect(places).not.toContain(undefined);
    expect(new Set(places).size).toBe(written.length);
  });

  it('has a title of its own for each', () => {
    const titles = listed.map((page) => titleOf(page).toLowerCase());
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('leaves out pages that do not exist, and groups without pages', () => {
    const [first] = pageGroups;
    expect(existingGroups(['docs/guide/testing.md'])).toEqual([
      { title: first?.title, pages: ['docs/guide/testing.md'] },
    ]);
  });

  it('resolves a name with a * by the alphabet', () => {
    const migrating = ['b', 'a'].map((name) => `docs/guide/from-${name}.md`);
    expect(existingGroups(migrating).flatMap(({ pages }) => pages)).toEqual(migrating.toReversed());
  });
});

describe('docs/index.md', () => {
  const page = textOf(home);
  const proven = [...tableRows(page.slice(page.indexOf('## What is proven')))]
    .map(([claim, [figures = '', proof = '']]) => ({
      claim,
      figures: figures.match(/\d+(?:[.,]\d+)*/g) ?? [],
      proof: /\]\(([^)]+)\)/.exec(proof)?.[1] ?? '',
    }))
    .filter(({ proof }) => proof.startsWith('proof/'));

  it('has claims with figures', () => {
    expect(proven.length).toBeGreaterThan(3);
    for (const { figures } of proven) expect(figures.length).toBeGreaterThan(0);
  });

  it.each(proven)('has the figures of $proof for: $claim', ({ figures, proof }) => {
    const numbers = new Set(textOf(join('docs', proof)).match(/\d+(?:[.,]\d+)*/g));
    expect(figures.filter((figure) => !numbers.has(figure))).toEqual([]);
  });

  it('has the sizes of bundles that the benchmarks have', () => {
    const [, sagabox, powertools] =
      /bundle is ([\d.]+ kB) gzipped.* idempotency ([\d.]+ kB)/.exec(page) ?? [];
    expect(textOf('docs/proof/benchmarks.md')).toContain(`| gzipped | ${sagabox} | ${powertools} |`);
  });

  it('counts the goals of the benchmarks that are not reached', () => {
    const [, missed, all] =
      /^(\d+) of the (\d+) \[goals of the benchmarks\].* are not reached/m.exec(page) ?? [];
    const goals = [
      ...textOf('docs/proof/benchmarks.md').matchAll(/^\|.*\| (\*\*not )?reached(?:\*\*)? \|$/gm),
    ];
    expect(Number(all)).toBe(goals.length);
    expect(Number(missed)).toBe(goals.filter(([, not]) => not !== undefined).length);
  });

  it('leads to pages that exist', () => {
    const [, frontMatter = ''] = /^---\n([\s\S]*?)^---$/m.exec(page) ?? [];
    const links = parse(frontMatter).hero.actions.map(({ link }: { link: string }) => link);
    const places = writtenPages().map(sitePath);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(places).toContain(`${normalize(link.replace(/#.*/, '')).slice(1)}.md`);
  });
});
