import { describe, expect, it } from '@jest/globals';
import { comparisonChart } from '../../bench/report/comparison-chart.ts';
import { sectionsOf } from '../../bench/report/sections.ts';
import { CHARACTER_WIDTH, CHART_WIDTH } from '../../lib/cli/plan/charts/chart-frame.ts';
import { elementsOf, parseXml, textOf, type XmlElement } from '../support/xml.ts';
import { sampleRecord } from './sample-record.ts';

const charts = sectionsOf(sampleRecord).flatMap(({ charts }) => charts);

describe.each(charts.map(({ name, title, drawn }) => [name, title, drawn.markup]))(
  'the chart %s',
  (name, title, markup) => {
    const svg = parseXml(markup);

    it('is an image with a title, and a description that has its figures', () => {
      expect(svg.attributes.role).toBe('img');
      expect(svg.attributes['aria-labelledby']).toBe(`benchmark-${name}-title benchmark-${name}-description`);
      expect(textOf(elementsOf(svg, 'title')[0] as XmlElement)).toBe(title);
      expect(textOf(elementsOf(svg, 'desc')[0] as XmlElement)).toMatch(/\d/);
    });

    it('can be read in light and in dark', () => {
      expect(elementsOf(svg, 'style').map(textOf).join()).toContain('prefers-color-scheme: dark');
    });

    it('has no figure that is none, and a part that is as wide as it is large', () => {
      expect(markup).not.toMatch(/NaN|Infinity|undefined/);
      expect(elementsOf(svg, 'rect').filter(isPart).length).toBeGreaterThan(0);
    });

    it('has its texts within the picture', () => {
      for (const text of elementsOf(svg, 'text')) {
        const [from, to] = endsOf(text);
        expect([textOf(text), from >= 0, to <= CHART_WIDTH]).toEqual([textOf(text), true, true]);
      }
    });
  },
);

describe('a chart of a comparison', () => {
  const chart = comparisonChart({
    name: 'speed',
    title: 'Speed',
    unit: 'm/s',
    contenders: ['hare', 'tortoise'],
    groups: [
      { label: 'uphill', values: [2, 1] },
      { label: 'asleep', values: [undefined, 1] },
    ],
    format: String,
  });

  it('names who a bar is of where there are several, and has none for a value that is not there', () => {
    const svg = parseXml(chart.drawn.markup);
    expect(elementsOf(svg, 'rect').filter(isPart).map(textOf)).toEqual([
      'uphill hare, hare: 2 m/s',
      'uphill tortoise, tortoise: 1 m/s',
      'asleep, tortoise: 1 m/s',
    ]);
    expect(elementsOf(svg, 'desc').map(textOf)).toEqual(['uphill hare: 2; uphill tortoise: 1; asleep: 1.']);
  });
});

function isPart({ attributes }: XmlElement): boolean {
  return attributes.class?.includes('edge') === true;
}

function endsOf(text: XmlElement): [number, number] {
  const x = Number(text.attributes.x);
  // The heading has larger letters.
  const scale = text.attributes.class === 'heading' ? 15 / 13 : 1;
  const width = textOf(text).length * CHARACTER_WIDTH * scale;
  const anchor = text.attributes['text-anchor'];
  if (anchor === 'end') return [x - width, x];
  return anchor === 'middle' ? [x - width / 2, x + width / 2] : [x, x + width];
}
