import { readSources } from '../support/source-files.ts';

/** A prop as its interface declares it. */
export interface Prop {
  /** The interface that declares it. */
  readonly declaredBy: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** As its docstring says: an expression, or prose after a dash. */
  readonly default: string | undefined;
  readonly meaning: string;
}

interface Declaration {
  readonly isExported: boolean;
  /** From the name on: what it extends, and its members. */
  readonly text: string;
  /** The same without comments, at the same places. */
  readonly code: string;
}

const declarations = readDeclarations();
const unions = readUnions();

/** All interfaces and types of the constructs that other files may name. */
export const exportedTypes: readonly string[] = [...declarations]
  .filter(([, { isExported }]) => isExported)
  .map(([name]) => name);

/**
 * The props of an interface or type of the constructs, with those of what it extends. Those that only exclude
 * others are left out.
 *
 * @throws Error when there is no such interface, or a prop has no docstring
 */
export function propsOf(name: string): Prop[] {
  const declaration = declarations.get(name);
  if (declaration === undefined) throw new Error(`There is no interface ${name}`);
  const inherited = basesOf(name, declaration).flatMap(propsOf);
  const own = ownProps(name, declaration);
  const isOwn = new Set(own.map((prop) => prop.name));
  return [...own, ...inherited.filter((prop) => !isOwn.has(prop.name))].filter(
    ({ type }) => type !== 'never',
  );
}

/** The interfaces and types of the constructs that the props of one mention. */
export function typesMentionedBy(name: string): string[] {
  return propsOf(name)
    .flatMap(({ type }) => type.match(/\b[A-Z]\w+/g) ?? [])
    .filter((type) => declarations.has(type));
}

function ownProps(declaredBy: string, { text, code }: Declaration): Prop[] {
  return [...code.matchAll(/^ +readonly (\w+)(\??): /gm)].map(
    ({ index, 0: start, 1: name = '', 2: optional }) => {
      const docstring = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(text.slice(0, index))?.[1];
      const declared = oneLine(code.slice(index + start.length, endOfStatement(code, index)));
      const type = unions.get(declared) ?? declared;
      if (docstring === undefined && type !== 'never')
        throw new Error(`${declaredBy}.${name} has no docstring`);
      const documented = docstring?.replace(/^ *\* ?/gm, '').trim() ?? '';
      const [meaning = '', ...tags] = documented.split(/^@/m);
      const ofDefault = tags.find((tag) => tag.startsWith('default'));
      return {
        declaredBy,
        name,
        type: optional === '' ? type : type.replace(/ \| undefined$/, ''),
        isRequired: optional === '',
        default: ofDefault === undefined ? undefined : plain(ofDefault.slice('default'.length)),
        meaning: plain(meaning),
      };
    },
  );
}

/** Of ours: a prop of another package is no prop of ours. */
function basesOf(name: string, { code }: Declaration): string[] {
  let head = code;
  for (let inner = ''; inner !== head; ) {
    inner = head;
    head = head.replace(/\{[^{}]*\}/g, '');
  }
  const names = new Set(head.match(/\b[A-Z]\w+/g) ?? []);
  return [...names].filter((base) => base !== name && declarations.has(base));
}

function readDeclarations(): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const { text } of readSources('lib/constructs')) {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));
    for (const { index, 1: isExported, 2: kind, 3: name = '' } of code.matchAll(
      /^(export )?(interface|type) (\w+)/gm,
    )) {
      const end = kind === 'type' ? endOfStatement(code, index) : endOfBlock(code, index);
      found.set(name, {
        isExported: isExported !== undefined,
        text: text.slice(index, end),
        code: code.slice(index, end),
      });
    }
  }
  return found;
}

/** What the names of types stand for that are a choice of words: whoever writes an app writes the words. */
function readUnions(): Map<string, string> {
  return new Map(
    readSources('lib').flatMap(({ code }) =>
      [...code.matchAll(/^export type (\w+) = ('\w+'(?: \| '\w+')+);$/gm)].map(
        ([, name = '', words = '']) => [name, words] as const,
      ),
    ),
  );
}

/** Where the `;` stands that ends what begins at `start`. */
function endOfStatement(code: string, start: number): number {
  return firstAtDepthZero(code, start, ';');
}

function endOfBlock(code: string, start: number): number {
  return firstAtDepthZero(code, code.indexOf('{', start), '}') + 1;
}

function firstAtDepthZero(code: string, start: number, sought: string): number {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const character = code.charAt(at);
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (character === sought && depth === 0) return at;
  }
  throw new Error(`No ${sought} ends ${code.slice(start, start + 80)}`);
}

function plain(docstring: string): string {
  return oneLine(docstring).replace(/\{@link ([\w.]+)\}/g, '`$1`');
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ').replace(/^\| /, '');
}
