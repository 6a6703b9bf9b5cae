import type { SyntaxNode } from './syntax.ts';

export interface Lines {
  readonly files: number;
  readonly code: number;
  /** Lines with nothing but a comment, or a part of one. */
  readonly comments: number;
  readonly blank: number;
}

const newline = 0x0a;

/** Outside of these, two slashes, or a slash and a star, begin a comment. */
const literals: readonly SyntaxNode['type'][] = ['RegExpLiteral', 'StringLiteral', 'TemplateElement'];

/** The lines of one file. */
export function linesOf(text: string, nodes: readonly SyntaxNode[]): Lines {
  const bytes = Buffer.from(text);
  for (const { type, span } of nodes) {
    if (!literals.includes(type)) continue;
    // Spans count bytes, from 1.
    for (let at = span.start - 1; at < span.end - 1; at += 1) if (bytes[at] !== newline) bytes[at] = 0x78;
  }
  const withoutComments = bytes.toString('latin1').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => {
    return comment.replace(/./g, ' ');
  });
  const total = filledLines(text, /^/);
  const filled = filledLines(text, /\S/);
  const code = filledLines(withoutComments, /\S/);
  return { files: 1, code, comments: filled - code, blank: total - filled };
}

function filledLines(text: string, filled: RegExp): number {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .filter((line) => filled.test(line)).length;
}

export function sumOf(lines: readonly Lines[]): Lines {
  const sum = (name: keyof Lines) => lines.reduce((total, one) => total + one[name], 0);
  return { files: sum('files'), code: sum('code'), comments: sum('comments'), blank: sum('blank') };
}

/** The lines of each folder down to a depth: with 2, `lib/saga` has those of `lib/saga/item` too, `lib` its own. */
export function linesByFolder(byFile: ReadonlyMap<string, Lines>, depth: number): Record<string, Lines> {
  const folders = Map.groupBy(byFile, ([path]) => path.split('/').slice(0, -1).slice(0, depth).join('/'));
  const sums = [...folders].map(
    ([folder, files]) => [folder, sumOf(files.map(([, lines]) => lines))] as const,
  );
  return Object.fromEntries(sums.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
