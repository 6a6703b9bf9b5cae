import { describe, expect, it } from '@jest/globals';
import { barChart } from '../../lib/charts/chart.ts';
import { elementsOf, parseXml, textOf } from '../../test/support/xml.ts';
import { sampleRecord } from '../benchmark/sample-record.ts';
import { sectionsOf } from './sections.ts';

const charts = Object.values(sectionsOf(sampleRecord)).flatMap(({ charts }) => Object.entries(charts));

describe.each(charts)('the chart %s', (_name, chart) => {
  const { markup } = barChart(chart);
  const svg = parseXml(markup);

  it('has a bar and a figure in its description for each value', () => {
    const values = chart.groups.flatMap(({ values }) => values.filter((value) => value));
    const bars = elementsOf(svg, 'path').filter(({ children }) => children.length > 0);
    expect(bars).toHaveLength(values.length);
    const [description] = elementsOf(svg, 'desc').map(textOf);
    for (const value of values) expect(description).toContain(chart.format(value ?? Number.NaN));
    expect(markup).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('has a title that fits', () => {
    // Bold letters of 15 pixels are about 9 pixels wide where fonts are wide.
    expect(chart.title.length * 9).toBeLessThan(720);
  });
});
