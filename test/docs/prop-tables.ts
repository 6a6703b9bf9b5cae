import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Prop, propsOf } from './declared-props.ts';

export const constructPage = new URL('../../docs/reference/constructs.md', import.meta.url);

const markers = /(<!-- props: ([\w ]+?)(?: without (\w+))? -->\n)[\s\S]*?(<!-- end -->)/g;

/** The page with a table of the props between its markers, as the docstrings of the interfaces say. */
export function withPropTables(page: string): string {
  return page.replaceAll(
    markers,
    (_all, start: string, names: string, without: string | undefined, end: string) =>
      `${start}\n${tableOf(propsOfMarker(names, without))}\n${end}`,
  );
}

/** What the tables of a page hold. */
export function propsInTables(page: string): Prop[] {
  return [...page.matchAll(markers)].flatMap(([, , names = '', without]) => propsOfMarker(names, without));
}

function propsOfMarker(names: string, without: string | undefined): Prop[] {
  const left = new Set(without === undefined ? [] : propsOf(without).map(({ name }) => name));
  const props = names.split(' ').flatMap(propsOf);
  // Of two interfaces with one prop, the first one counts.
  const named = new Map(props.toReversed().map((prop) => [prop.name, prop]));
  return [...named.values()].toReversed().filter(({ name }) => !left.has(name));
}

function tableOf(props: readonly Prop[]): string {
  const rows = props.map((prop) => [code(prop.name), typeOf(prop), defaultOf(prop), cell(prop.meaning)]);
  const head = ['prop', 'type', 'default', 'meaning'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** `AnyTable` is an `ITable` to whoever writes an app: see lib/constructs/any-resource.ts. */
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

function cell(value: string): string {
  return value.replaceAll('|', '\\|');
}

// node --conditions=sagabox-source test/docs/prop-tables.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(constructPage, withPropTables(readFileSync(constructPage, 'utf8')));
