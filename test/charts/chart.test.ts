import { describe, expect, it } from '@jest/globals';
import { type BarChartData, barChart, type LineChartData, lineChart } from '../../lib/charts/chart.ts';
import { elementsOf, parseXml, textOf } from '../support/xml.ts';

const hostile = `</svg><script>alert("1")</script>&amp;'\u0000\ud800`;
const printed = `</svg><script>alert("1")</script>&amp;'\ufffd\ufffd`;

const bars: BarChartData = {
  title: 'Units & <steps>',
  unit: 'units',
  series: ['load', 'commit', 'mark'],
  groups: [
    { label: 'records', values: [1, 4, 0] },
    { label: 'embedded', values: [1, 10, 4] },
  ],
  stacked: true,
  format: (value) => `${value} u`,
};

const between = (first: number, last: number) => [
  { x: 0, y: first },
  { x: 100, y: last },
];

const lines: LineChartData = {
  title: 'Cost & <lines>',
  description: 'Two lines',
  xLabel: 'percent',
  yLabel: 'dollars',
  xRange: { min: 0, max: 100, interval: 50 },
  series: [
    { name: 'falling', points: between(10, 3) },
    { name: 'none', points: [] },
    { name: 'level', points: between(4, 4) },
  ],
  mark: { x: 30, label: 'break-even: 30 %' },
  formatX: (value) => `${value} %`,
  formatY: (value) => `$${value}`,
};

const toldBars = 'records: load 1 u, commit 4 u; embedded: load 1 u, commit 10 u, mark 4 u.';

describe.each([
  ['stacked bars', () => barChart(bars), bars.title, toldBars],
  ['lines', () => lineChart(lines), lines.title, lines.description],
])('a chart of %s', (_name, draw, title, description) => {
  const { markup } = draw();
  const svg = parseXml(markup);

  it('is an image with a title and a description, and shows the title', () => {
    expect(svg.attributes).toMatchObject({ xmlns: 'http://www.w3.org/2000/svg', role: 'img' });
    const [first, second] = svg.children.filter((child) => typeof child !== 'string');
    expect([first, second].map((child) => [child?.name, child && textOf(child)])).toEqual([
      ['title', title],
      ['desc', description],
    ]);
    expect(elementsOf(svg, 'text').map(textOf)).toContain(title);
  });

  it('has no color but those that the page defines for light and dark', () => {
    const style = elementsOf(svg, 'style').map(textOf).join();
    const [light = '', dark = ''] = style.split('@media (prefers-color-scheme: dark)');
    const used = new Set(
      [...markup.matchAll(/(?:fill|stroke)="(?!none)([^"]+)"/g)].map(([, color]) => color),
    );
    expect(used.size).toBeGreaterThan(4);
    for (const color of used) {
      const name = /^var\((--[\w-]+)\)$/.exec(color ?? '')?.[1];
      expect([color, light.includes(`${name}: #`), dark.includes(`${name}: #`)]).toEqual([color, true, true]);
    }
  });

  it('is the same each time, and needs nothing else', () => {
    expect(draw().markup).toBe(markup);
    expect(markup).not.toMatch(/NaN|Infinity|undefined|url\(|\bid=|class="(?!chart")/);
  });
});

describe('bars', () => {
  const shapesOf = (markup: string) =>
    elementsOf(parseXml(markup), 'path').filter(({ children }) => children.length > 0);

  it('that are stacked have a part for each value, and their sums', () => {
    const { markup } = barChart(bars);
    expect(shapesOf(markup).map(textOf).sort()).toEqual([
      'embedded, commit: 10 u units',
      'embedded, load: 1 u units',
      'embedded, mark: 4 u units',
      'records, commit: 4 u units',
      'records, load: 1 u units',
    ]);
    expect(elementsOf(parseXml(markup), 'text').map(textOf)).toEqual(
      expect.arrayContaining(['records', 'embedded', 'load', 'commit', 'mark', '5 u', '15 u', 'units']),
    );
  });

  it('beside one another tell each value, and leave out what has none', () => {
    const groups = [
      { label: 'uphill', values: [2, 1] },
      { label: 'asleep', values: [undefined, 0] },
    ];
    const { markup } = barChart({ ...bars, series: ['hare', 'tortoise'], groups, stacked: false });
    expect(shapesOf(markup).map(textOf).sort()).toEqual([
      'asleep, tortoise: 0 u units',
      'uphill, hare: 2 u units',
      'uphill, tortoise: 1 u units',
    ]);
    expect(elementsOf(parseXml(markup), 'text').map(textOf)).toEqual(expect.arrayContaining(['2 u', '0 u']));
    expect(elementsOf(parseXml(markup), 'desc').map(textOf)).toEqual([
      'uphill: hare 2 u, tortoise 1 u; asleep: tortoise 0 u.',
    ]);
  });

  it('of one series have no legend', () => {
    const { markup } = barChart({ ...bars, series: ['only'], groups: [{ label: 'one', values: [1] }] });
    expect(elementsOf(parseXml(markup), 'text').map(textOf)).not.toContain('only');
  });

  it('can all be empty', () => {
    const { markup } = barChart({ ...bars, groups: [{ label: 'records', values: [0, 0, 0] }] });
    expect(markup).not.toMatch(/NaN|Infinity/);
    expect(shapesOf(markup)).toEqual([]);
  });

  it('escape what they are given', () => {
    const groups = [{ label: hostile, values: [1] }];
    const { markup } = barChart({ title: hostile, unit: hostile, series: [hostile], groups, format: String });
    const texts = elementsOf(parseXml(markup), 'text').map(textOf);
    expect(texts.filter((text) => text === printed)).toHaveLength(3);
    expect(shapesOf(markup).map(textOf)).toEqual([`${printed}, ${printed}: 1 ${printed}`]);
  });
});

describe('lines', () => {
  const drawn = (chart: LineChartData) =>
    elementsOf(parseXml(lineChart(chart).markup), 'path').filter(({ children }) => children.length > 0);

  it('have names, and differ in more than their color', () => {
    expect(drawn(lines).map(textOf)).toEqual(['falling', 'level']);
    const dashes = drawn(lines).map(({ attributes }) => attributes['stroke-dasharray']);
    expect(new Set(dashes).size).toBe(2);
  });

  it('tell their last values, the ticks and the mark, and no mark when there is none', () => {
    const { mark: _mark, ...without } = lines;
    const texts = elementsOf(parseXml(lineChart(lines).markup), 'text').map(textOf);
    expect(texts).toEqual(
      expect.arrayContaining(['$3', '$4', '0 %', '50 %', '100 %', 'percent', 'dollars', 'break-even: 30 %']),
    );
    expect(lineChart(without).markup).not.toContain('break-even');
  });
});
