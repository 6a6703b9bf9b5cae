import { describe, expect, it } from '@jest/globals';
import { type LineChart, lineChart } from '../../../../lib/cli/plan/charts/line-chart.ts';
import { type StackedBars, stackedBars } from '../../../../lib/cli/plan/charts/stacked-bars.ts';
import { elementsOf, parseXml, textOf } from '../../../support/xml.ts';

const bars: StackedBars = {
  id: 'bars',
  title: 'Units & <steps>',
  description: 'Two bars',
  unit: 'units',
  series: ['load', 'commit', 'mark'],
  bars: [
    { label: 'packed', values: [1, 4, 0] },
    { label: 'itemized', values: [1, 10, 4] },
  ],
  format: String,
};

const curve: LineChart = {
  id: 'lines',
  title: 'Cost',
  description: 'Two lines',
  xLabel: 'percent',
  yLabel: 'dollars',
  xTicks: [0, 50, 100],
  series: [
    {
      name: 'falling',
      points: [
        { x: 0, y: 10 },
        { x: 100, y: 0 },
      ],
    },
    { name: 'none', points: [] },
  ],
  mark: { x: 30, label: 'break-even: 30 %' },
  formatX: String,
  formatY: String,
};

const charts = [
  ['stacked bars', stackedBars(bars).markup, bars],
  ['lines', lineChart(curve).markup, curve],
] as const;

describe.each(charts)('a chart of %s', (_name, markup, { id, title, description }) => {
  const svg = parseXml(markup);

  it('is an image with a title and a description', () => {
    expect(svg.attributes).toMatchObject({
      xmlns: 'http://www.w3.org/2000/svg',
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-description`,
    });
    const told = ['title', 'desc'].map((name) => {
      const [element] = elementsOf(svg, name);
      return element && [element.attributes.id, textOf(element)];
    });
    expect(told).toEqual([
      [`${id}-title`, title],
      [`${id}-description`, description],
    ]);
  });

  it('has colours for light and dark', () => {
    expect(elementsOf(svg, 'style').map(textOf).join()).toContain('prefers-color-scheme: dark');
  });

  it('has no place that is no number', () => {
    expect(markup).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('stacked bars', () => {
  const svg = parseXml(stackedBars(bars).markup);
  const drawn = elementsOf(svg, 'rect').filter(({ attributes }) => attributes.class?.includes('edge'));

  it('have a part for each value that is there, as wide as it is large', () => {
    expect(drawn.map(textOf)).toEqual([
      'packed, load: 1 units',
      'packed, commit: 4 units',
      'itemized, load: 1 units',
      'itemized, commit: 10 units',
      'itemized, mark: 4 units',
    ]);
    const [load, commit] = drawn.map(({ attributes }) => Number(attributes.width));
    expect((commit ?? 0) / (load ?? 0)).toBeCloseTo(4, 2);
  });

  it('start where the part before ends', () => {
    const [load, commit] = drawn.map(({ attributes }) => attributes);
    expect(Number(load?.x) + Number(load?.width)).toBeCloseTo(Number(commit?.x), 1);
  });

  it('tell their sums, and stay in the picture', () => {
    const texts = elementsOf(svg, 'text').map(textOf);
    expect(texts).toEqual(expect.arrayContaining(['packed', 'itemized', 'load', 'commit', 'mark', '15']));
    const ends = drawn.map(({ attributes }) => Number(attributes.x) + Number(attributes.width));
    expect(Math.max(...ends)).toBeLessThanOrEqual(720);
  });

  it('can all be empty', () => {
    const none = { ...bars, bars: [{ label: 'packed', values: [0, 0, 0] }] };
    expect(stackedBars(none).markup).not.toMatch(/NaN|Infinity/);
  });
});

describe('lines', () => {
  const svg = parseXml(lineChart(curve).markup);

  it('go from point to point', () => {
    const [path] = elementsOf(svg, 'path');
    expect(path?.attributes.d).toMatch(/^M\d+(\.\d+)? \d+(\.\d+)? L\d+(\.\d+)? \d+(\.\d+)?$/);
  });

  it('differ in more than their colour', () => {
    const dashes = elementsOf(svg, 'path').map(({ attributes }) => attributes['stroke-dasharray']);
    expect(new Set(dashes).size).toBe(2);
  });

  it('tell the mark, and none when there is none', () => {
    const { mark: _mark, ...without } = curve;
    expect(elementsOf(svg, 'text').map(textOf)).toContain('break-even: 30 %');
    expect(lineChart(without).markup).not.toContain('break-even');
  });
});
