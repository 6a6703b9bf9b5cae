import { describe, expect, it } from '@jest/globals';
import { importsOf, readSources } from '../../test/support/source-files.ts';
import { changes, filesNaming } from './changes.ts';
import { loneImports, repeatedNames } from './importers.ts';
import { linesByReader } from './pages.ts';
import { sharedState } from './shared-state.ts';
import { syntaxOf } from './syntax.ts';

function sourcesOf(tree: Readonly<Record<string, string>>) {
  return Object.entries(tree).map(([path, text]) => ({ path, text, code: text, imports: importsOf(text) }));
}

describe('a file with exactly one importer and at most 60 lines', () => {
  const lines = (count: number) => 'const a = 1;\n'.repeat(count);
  const importing = "import { a } from '../b.ts';\n";

  it.each<[what: string, tree: Record<string, string>, found: boolean]>([
    ['is imported once', { 'lib/a/a.ts': importing }, true],
    ['is imported for its types', { 'lib/a/a.ts': "import type { A } from '../b.ts';\n" }, true],
    ['is passed on', { 'lib/a/a.ts': "export * from '../b.ts';\n" }, true],
    ['is imported twice by one file', { 'lib/a/a.ts': importing + importing }, true],
    ['is imported by nobody', {}, false],
    ['is imported by two', { 'lib/a/a.ts': importing, 'lib/c/c.ts': importing }, false],
    ['has 60 lines', { 'lib/b.ts': lines(60), 'lib/a/a.ts': importing }, true],
    ['has 61 lines', { 'lib/b.ts': lines(61), 'lib/a/a.ts': importing }, false],
  ])('%s: %j', (_what, tree, found) => {
    const sources = sourcesOf({ 'lib/b.ts': lines(1), ...tree });
    expect(loneImports(sources)).toEqual(found ? ['lib/b.ts'] : []);
  });
});

it('names that occur more than once are those of files in several folders, index.ts apart', () => {
  const paths = ['lib/index.ts', 'lib/a/index.ts', 'lib/a/b.ts', 'lib/c/b.ts', 'lib/c/d.ts'];
  expect(repeatedNames(paths)).toEqual({ 'b.ts': ['lib/a/b.ts', 'lib/c/b.ts'] });
});

describe('the files that name a word', () => {
  it.each([
    ['const prop = 1;', 'found'],
    ['a.prop?.b', 'found'],
    ['const props = 1;', 'not found'],
    ['const aProp = 1;', 'not found'],
  ])('of %j are %s', (code, result) => {
    const found = result === 'found';
    const tree = { 'lib/a.ts': 'prop', 'lib/b.ts': code };
    expect(filesNaming('prop', sourcesOf(tree))).toEqual(found ? ['lib/a.ts', 'lib/b.ts'] : ['lib/a.ts']);
  });

  it('are asked for by another name when there are none', () => {
    expect(() => filesNaming('prop', sourcesOf({ 'lib/a.ts': 'a' }))).toThrow(/'prop'.*another example/);
  });

  it.each(Object.entries(changes))('are there for the example of %s, %s', (_change, name) => {
    expect(filesNaming(name, readSources('lib'))).not.toEqual([]);
  });
});

describe('a field that another file assigns', () => {
  const declaring = 'export class A {\n  b = 1;\n}\n';

  it.each<[what: string, tree: Record<string, string>, found: boolean]>([
    ['is assigned', { 'lib/b.ts': 'a.b = 2;' }, true],
    ['is assigned below another object', { 'lib/b.ts': 'c.a.b ??= 2;' }, true],
    ['is counted up', { 'lib/b.ts': 'a.b++;' }, true],
    ['is read', { 'lib/b.ts': 'c = a.b === 2;' }, false],
    ['has another name', { 'lib/b.ts': 'a.c = 2;' }, false],
    ['is the own one of another class', { 'lib/b.ts': 'class C { d() { this.b = 2; } }' }, false],
    ['is assigned in its own file', { 'lib/a.ts': `${declaring}a.b = 2;` }, false],
    ['is assigned without a class', { 'lib/a.ts': 'const a = { b: 1 };', 'lib/b.ts': 'a.b = 2;' }, false],
    ['is readonly', { 'lib/a.ts': 'class A { readonly b = 1; }', 'lib/b.ts': 'a.b = 2;' }, false],
    ['is private', { 'lib/a.ts': 'class A { #b = 1; }', 'lib/b.ts': 'a.b = 2;' }, false],
  ])('%s: %j', (_what, tree, found) => {
    const texts = Object.entries({ 'lib/a.ts': declaring, ...tree });
    const fields = sharedState(new Map(texts.map(([path, text]) => [path, syntaxOf(text)])));
    const field = { field: 'b', declaredIn: ['lib/a.ts'], assignedIn: ['lib/b.ts'] };
    expect(fields).toEqual(found ? [field] : []);
  });
});

describe('the lines of pages', () => {
  it('are counted for their readers', () => {
    const paths = ['guide/a.md', 'reference/b.md', 'index.md', 'design/c.md', 'proof/d.md'];
    const pages = paths.map((path) => ({ path: `docs/${path}`, text: 'one\n\nthree\n' }));
    expect(linesByReader(pages)).toEqual({ users: 9, maintainers: 6 });
  });

  it('are refused for a page without a reader', () => {
    expect(() => linesByReader([{ path: 'docs/a', text: '' }])).toThrow(/docs\/a/);
  });
});
