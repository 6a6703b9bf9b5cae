/** A piece of HTML or SVG. It is well-formed XML too, so that one test can hold all of it to that. */
export interface Markup {
  readonly markup: string;
}

export type Attributes = Readonly<Record<string, string | number | undefined>>;

const withoutContent = new Set(['meta']);

/** An element. Texts are escaped; only what was made here is taken as it is. */
export function element(
  name: string,
  attributes: Attributes = {},
  ...children: readonly (Markup | string)[]
): Markup {
  const start = `<${name}${attributesOf(attributes)}`;
  if (withoutContent.has(name)) return { markup: `${start}/>` };
  // Never `<td/>`: that leaves the cell open in HTML.
  return { markup: `${start}>${children.map(contentOf).join('')}</${name}>` };
}

/** Pieces one after another, each in a line of its own. */
export function lines(...pieces: readonly Markup[]): Markup {
  return { markup: pieces.map(({ markup }) => markup).join('\n') };
}

function contentOf(child: Markup | string): string {
  return typeof child === 'string' ? escapeText(child) : child.markup;
}

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${attributeText(value)}"`)
    .join('');
}

function attributeText(value: string | number | undefined): string {
  const text = typeof value === 'number' ? String(Math.round(value * 100) / 100) : String(value);
  return escapeText(text).replaceAll('"', '&quot;');
}

function escapeText(text: string): string {
  return printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Without control characters and halves of characters, which neither XML nor a terminal should get. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, '\uFFFD');
}
