/** A piece of HTML or SVG. It is well-formed XML too, so that one test can hold all of it to that. */
export interface Markup {
  readonly markup: string;
}

type Content = string | number | Markup | readonly Content[];

/** Template tag. Strings are escaped for content and quoted attributes; a list gets one line per entry. */
export function markup(template: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return { markup: String.raw({ raw: template }, ...contents.map(escaped)) };
}

function escaped(content: Content): string {
  if (typeof content === 'string' || typeof content === 'number') return escapedString(String(content));
  return 'markup' in content ? content.markup : content.map(escaped).join('\n');
}

function escapedString(value: string): string {
  return printable(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Without control characters and halves of characters, which XML does not take. */
export function printable(value: string): string {
  return value.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, '\uFFFD');
}
