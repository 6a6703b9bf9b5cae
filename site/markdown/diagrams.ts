import { parseMermaid, renderMermaidSVG } from 'beautiful-mermaid';

/** Of the page's theme, so that a diagram is light or dark with it. */
const colors = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  muted: 'var(--vp-c-text-2)',
  line: 'var(--vp-c-text-3)',
  accent: 'var(--vp-c-brand-1)',
  surface: 'var(--vp-c-bg-soft)',
  border: 'var(--vp-c-divider)',
};

const drawn = new Map<string, string>();

/** The SVG of a Mermaid diagram, which loads nothing from elsewhere. */
export function drawDiagram(text: string): string {
  const known = drawn.get(text);
  if (known !== undefined) return known;
  const svg = withoutFonts(
    renderMermaidSVG(withLabelsFirst(text), { ...colors, transparent: true, padding: 8 }),
  );
  drawn.set(text, svg);
  return svg;
}

/** The renderer's style asks a font service for a font that the site has itself. */
function withoutFonts(svg: string): string {
  return svg.replaceAll(/@import url\([^)]*\);/g, '');
}

/**
 * The renderer takes a node's label from its first mention, Mermaid also from a later one: such nodes are declared first.
 */
function withLabelsFirst(text: string): string {
  const [, head = '', body = ''] = /^(\s*(?:flowchart|graph)\b.*\n)([\s\S]*)$/.exec(text) ?? [];
  if (head === '') return text;
  const unlabelled = [...parseMermaid(text).nodes.values()].filter(({ id, label }) => id === label);
  const declarations = unlabelled.flatMap(({ id }) => {
    const [declaration] = new RegExp(`(?<![\\w-])${id}(?:${shapes})`).exec(body) ?? [];
    return declaration === undefined ? [] : [`${declaration}\n`];
  });
  return [head, ...declarations, body].join('');
}

/** What stands behind an id: `["label"]`, `([label])`, `[(label)]`, `{label}`. */
const shapes = String.raw`[[({]+"[^"]*"[\])}]+|\(\[.*?\]\)|\[\(.*?\)\]|\[\[.*?\]\]|\[.*?\]|\{.*?\}|\(.*?\)`;
