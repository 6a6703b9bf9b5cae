import { type Attributes, element, lines, type Markup } from './markup.ts';

/** Tells a chart to those who cannot see it. */
export interface ChartText {
  /** Unique on its page; letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

export const CHART_WIDTH = 720;

/** About that of a letter; SVG cannot tell how wide a text becomes. */
export const CHARACTER_WIDTH = 7.2;

/** Five colours that people with a colour deficiency tell apart, on white and on black. */
const style = `
.chart { --surface: #fff; --ink: #1b1f24; --muted: #57606a; --grid: #d8dee4;
  --color-1: #0067a6; --color-2: #b35900; --color-3: #00785a; --color-4: #a23b72; --color-5: #6a51a3;
  font-family: system-ui, sans-serif; font-size: 13px; }
@media (prefers-color-scheme: dark) { .chart { --surface: #14181d; --ink: #e6edf3; --muted: #9aa4af; --grid: #333b44;
  --color-1: #4aa8e8; --color-2: #f0973d; --color-3: #3fc79a; --color-4: #ee86b7; --color-5: #ab94ee; } }
.chart text { fill: var(--ink); } .chart .muted { fill: var(--muted); } .chart .surface { fill: var(--surface); }
.chart .heading { font-size: 15px; font-weight: 600; }
.chart .grid { stroke: var(--grid); stroke-width: 1; } .chart .edge { stroke: var(--surface); stroke-width: 1.5; }
.chart .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; } .chart .mark { stroke: var(--ink); stroke-dasharray: 3 4; }
${[1, 2, 3, 4, 5]
  .map(
    (number) =>
      `.chart .fill-${number} { fill: var(--color-${number}); } .chart .stroke-${number} { stroke: var(--color-${number}); }`,
  )
  .join('\n')}
`;

/** The class of a series' colour, by its place. */
export function colorClass(kind: 'fill' | 'stroke', index: number): string {
  return `${kind}-${(index % 5) + 1}`;
}

/** An SVG image of its own, with its colours for light and dark: also right in a page. */
export function chartFrame({ id, title, description }: ChartText, height: number, drawn: Markup): Markup {
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'chart',
      viewBox: `0 0 ${CHART_WIDTH} ${height}`,
      width: CHART_WIDTH,
      height,
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-description`,
    },
    lines(
      element('title', { id: `${id}-title` }, title),
      element('desc', { id: `${id}-description` }, description),
      element('style', {}, { markup: style }),
      element('rect', { class: 'surface', width: CHART_WIDTH, height }),
      svgText({ x: 16, y: 26, class: 'heading' }, title),
      drawn,
    ),
  );
}

export function svgText(attributes: Attributes, text: string): Markup {
  return element('text', attributes, text);
}

/** Names with the colours of their series, from left to right, in as many rows as they need. */
export function legend(names: readonly string[], y: number): { markup: Markup; height: number } {
  const rowHeight = 22;
  let [x, row] = [16, 0];
  const entries = names.map((name, index) => {
    const width = 34 + name.length * CHARACTER_WIDTH;
    if (x > 16 && x + width > CHART_WIDTH) [x, row] = [16, row + 1];
    const [left, top] = [x, y + row * rowHeight];
    x += width;
    return lines(
      element('rect', { class: colorClass('fill', index), x: left, y: top, width: 12, height: 12, rx: 2 }),
      svgText({ x: left + 18, y: top + 11 }, name),
    );
  });
  return { markup: lines(...entries), height: (row + 1) * rowHeight };
}
