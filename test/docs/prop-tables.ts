import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Prop, propsOf } from './declared-props.ts';
import { withLinks } from './linked-mentions.ts';

export const constructPage = new URL('../../docs/reference/constructs.md', import.meta.url);

/** Of a long interface a table has the named props `only`, so that a page can sort them by subject. */
const markers = /(<!-- props: ([\w ]+?)(?: without (\w+))?(?: only ([\w ]+))? -->\n)[\s\S]*?(<!-- end -->)/g;
/** A longer meaning begins in the table, and goes on below it. */
const LONGEST_CELL = 200;

/** The page with a table of the props between its markers, as the docstrings of the interfaces say. */
export function withPropTables(page: string): string {
  return page.replaceAll(markers, (...match) => {
    const [, start = '', names = '', without, only, end = ''] = match as string[];
    const props = propsOfMarker(names, without, only);
    return `${start}\n${tableOf(props)}\n${furtherText(props)}${end}`;
  });
}

/** What the tables of a page hold. */
export function propsInTables(page: string): Prop[] {
  return [...page.matchAll(markers)].flatMap(([, , names = '', without, only]) =>
    propsOfMarker(names, without, only),
  );
}

function propsOfMarker(names: string, without: string | undefined, only: string | undefined): Prop[] {
  const all = allPropsOf(names, without);
  return only === undefined
    ? all
    : only.split(' ').map((wanted) => {
        const prop = all.find(({ name }) => name === wanted);
        if (prop === undefined) throw new Error(`${names} has no prop ${wanted}`);
        return prop;
      });
}

function allPropsOf(names: string, without: string | undefined): Prop[] {
  const left = new Set(without === undefined ? [] : propsOf(without).map(({ name }) => name));
  const props = names.split(' ').flatMap(propsOf);
  // Of two interfaces with one prop, the first one counts.
  const named = new Map(props.toReversed().map((prop) => [prop.name, prop]));
  return [...named.values()].toReversed().filter(({ name }) => !left.has(name));
}

function tableOf(props: readonly Prop[]): string {
  const rows = props.map((prop) => [
    code(prop.name),
    typeOf(prop),
    defaultOf(prop),
    cell(withLinks(sentencesOf(prop).inTable)),
  ]);
  const head = ['prop', 'type', 'default', 'meaning'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** What has no room in the table: an item for each prop, a line for each sentence. */
function furtherText(props: readonly Prop[]): string {
  const items = props.flatMap((prop) => {
    const { below } = sentencesOf(prop);
    return below.length === 0 ? [] : `- **\`${prop.name}\`.** ${withLinks(below.join('\n  '))}\n`;
  });
  return items.length === 0 ? '' : `${items.join('')}\n`;
}

function sentencesOf({ meaning }: Prop): { inTable: string; below: readonly string[] } {
  const [first = '', ...below] = meaning.split(/(?<=\.) (?=[A-Z`])/);
  return meaning.length > LONGEST_CELL ? { inTable: first, below } : { inTable: meaning, below: [] };
}

/** `AnyTable` is an `ITable` to whoever writes an app: see lib/constructs/construct-types.ts. */
function typeOf({ type }: Prop): string {
  return code(type.replace(/\bAny([A-Z])/g, 'I$1'));
}

function defaultOf({ default: value, isRequired }: Prop): string {
  if (value === undefined) return isRequired ? 'required' : '';
  return value.startsWith('- ') ? cell(value.slice(2)) : code(value);
}

function code(value: string): string {
  return cell(`\`${value}\``);
}

export function cell(value: string): string {
  return value.replaceAll('|', '\\|');
}

// node --conditions=sagabox-source test/docs/prop-tables.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(constructPage, withPropTables(readFileSync(constructPage, 'utf8')));
