import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readPage } from '../support/page-tables.ts';
import { repository } from '../support/source-files.ts';
import { exportedTypes, propsOf, typesMentionedBy } from './declared-props.ts';
import { propsInTables, withPropTables } from './prop-tables.ts';

const page = readPage('reference/constructs.md');
const textOf = (path: string) => readFileSync(join(repository, 'lib/constructs', path), 'utf8');
/** docs/reference/capacity.md has its options. */
const elsewhere = ['./capacity/table-capacity.ts'];

describe('docs/reference/constructs.md', () => {
  it('has the tables of props that the docstrings make (CONTRIBUTING.md has the command)', () => {
    expect(page).toBe(withPropTables(page));
  });

  it('has every prop of what the constructs take', () => {
    const types = typesOfConstructs();
    for (const name of ['BundledEndpointProps', 'PublicationOptions', 'ClaimCheckOptions', 'AlarmSettings'])
      expect(types).toContain(name);
    const inTables = new Set(propsInTables(page).map(({ declaredBy, name }) => `${declaredBy}.${name}`));
    const props = types.flatMap(propsOf).map(({ declaredBy, name }) => `${declaredBy}.${name}`);
    expect([...new Set(props)].filter((prop) => !inTables.has(prop))).toEqual([]);
  });

  it('has every member of the constructs', () => {
    const cells = [...page.matchAll(/^\| (.*?) \|/gm)].map(([, first]) => first).join(' ');
    const named = new Set(cells.match(/\w+/g));
    const members = constructFiles().flatMap((path) => [path, ...basesOf(path)].flatMap(membersOf));
    for (const name of ['queue', 'undeliveredQueue', 'grantOperate', 'fromTableAttributes', 'alarmsNamed'])
      expect(members).toContain(name);
    expect([...new Set(members)].filter((name) => !named.has(name))).toEqual([]);
  });
});

/** What index.ts exports, what its props mention, and what the methods of its classes take. */
function typesOfConstructs(): string[] {
  const exported = [...textOf('index.ts').matchAll(/\w+/g)].map(([name]) => name);
  const taken = constructFiles().flatMap((path) => {
    return textOf(path).match(/\b[A-Z]\w+(?:Options|Props|Attributes)\b/g) ?? [];
  });
  const found = new Set([...exported, ...taken].filter((name) => exportedTypes.includes(name)));
  for (const name of found) for (const mentioned of typesMentionedBy(name)) found.add(mentioned);
  return [...found];
}

/** The files of the classes that index.ts exports. */
function constructFiles(): string[] {
  return [...textOf('index.ts').matchAll(/^export \{ [^}]*\} from '([^']+)'/gm)]
    .map(([, path = '']) => path)
    .filter((path) => !elsewhere.includes(path) && /^export class /m.test(textOf(path)));
}

/** The files of ours that the class of a file extends. */
function basesOf(path: string): string[] {
  const text = textOf(path);
  const base = /^export (?:abstract )?class \w+ extends (\w+)/m.exec(text)?.[1];
  const file = new RegExp(`\\b${base}\\b[^;]* from '(\\.[^']+)'`).exec(text)?.[1];
  if (file === undefined) return [];
  const baseFile = posix.join(posix.dirname(path), file);
  return [baseFile, ...basesOf(baseFile)];
}

/** The public ones: what is private begins with '#', and what only other constructs use is `@internal`. */
function membersOf(path: string): string[] {
  const [, body = ''] = textOf(path)
    .replace(/^ *\/\*\* @internal(?:(?!\*\/)[\s\S])*\*\/\n.*\n/gm, '')
    .split(/^export (?:abstract )?class /m);
  const members = body.matchAll(
    /^ {2}(?:abstract |static |override |readonly |get )*(?!constructor|protected)(\w+)(?:\(|<|: |\?: )/gm,
  );
  return [...members].map(([, name = '']) => name);
}
