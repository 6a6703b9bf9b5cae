import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent, TitleComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { type Markup, markup, printable } from './markup.ts';

use([BarChart, LineChart, GridComponent, LegendComponent, MarkLineComponent, TitleComponent, SVGRenderer]);

export interface BarChartData {
  readonly title: string;
  /** What is counted, such as 'units'. */
  readonly unit: string;
  /** Each has its color. */
  readonly series: readonly string[];
  /** A value for each series; undefined where there is none. */
  readonly groups: readonly { readonly label: string; readonly values: readonly (number | undefined)[] }[];
  /** The values of a group are parts of one bar, with their sum at its end. Otherwise each has its bar. */
  readonly stacked?: boolean;
  readonly format: (value: number) => string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface LineChartData {
  readonly title: string;
  /** For those who cannot see the lines. */
  readonly description: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xRange: { readonly min: number; readonly max: number; readonly interval: number };
  readonly series: readonly { readonly name: string; readonly points: readonly Point[] }[];
  /** A place on the x axis that is worth knowing. */
  readonly mark?: { readonly x: number; readonly label: string } | undefined;
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
}

const width = 720;
const [belowTitle, belowLegend] = [52, 84];
const [ink, muted, gridColor] = ['var(--ink)', 'var(--muted)', 'var(--grid)'];

/** Five colors that people with a color deficiency tell apart, on white and on black. */
const style = `.chart { --surface: #fff; --ink: #1b1f24; --muted: #57606a; --grid: #d8dee4;
  --color-1: #0067a6; --color-2: #b35900; --color-3: #00785a; --color-4: #a23b72; --color-5: #6a51a3; }
@media (prefers-color-scheme: dark) { .chart {
  --surface: #14181d; --ink: #e6edf3; --muted: #9aa4af; --grid: #333b44;
  --color-1: #4aa8e8; --color-2: #f0973d; --color-3: #3fc79a; --color-4: #ee86b7; --color-5: #ab94ee; } }`;

const labelStyle = { color: ink, fontSize: 13, textBorderWidth: 0 };
const mutedStyle = { color: muted, fontSize: 13 };
const withoutLine = { axisLine: { show: false }, axisTick: { show: false } };
const axisName = { nameLocation: 'middle', nameGap: 30, nameTextStyle: mutedStyle };

/** Horizontal bars: parts of a whole, or the series of each group under one another. */
export function barChart(chart: BarChartData): Markup {
  const { title, unit, series, groups, stacked = false, format } = chart;
  const figureOf = (group: number, index: number) => groups[group]?.values[index];
  const totals = groups.map(({ values }) => values.reduce<number>((total, value = 0) => total + value, 0));
  // In a stack, a part of 0 has no place; beside others, a bar of 0 has.
  const isTold = (value: number | undefined): value is number =>
    value !== undefined && !(stacked && value === 0);
  const isLast = (index: number) => index === series.length - 1;
  const told = groups.map(({ label, values }) => {
    const figures = values.flatMap((value, index) =>
      isTold(value) ? `${series[index]} ${format(value)}` : [],
    );
    return `${label}: ${figures.join(', ')}`;
  });
  return draw(
    {
      title,
      description: `${told.join('; ')}.`,
      plotHeight: groups.length * (stacked ? 40 : series.length * 21 + 16),
      plotTop: series.length > 1 ? belowLegend : belowTitle,
      endLabels: (stacked ? totals : groups.flatMap(({ values }) => values)).map((value = 0) =>
        format(value),
      ),
    },
    {
      xAxis: { ...valueAxis(format), ...axisName, name: unit },
      yAxis: {
        type: 'category',
        inverse: true,
        ...withoutLine,
        axisLabel: labelStyle,
        data: groups.map(({ label }) => label),
      },
      series: series.map((name, index) => ({
        type: 'bar',
        name,
        ...(stacked && { stack: 'parts' }),
        barWidth: stacked ? 26 : 18,
        barGap: '15%',
        itemStyle: { borderColor: 'var(--surface)', borderWidth: stacked ? 1.5 : 0 },
        // An empty last part still holds the label of the sum.
        data: groups.map(({ values }) => {
          const value = values[index];
          return isTold(value) ? value : stacked && isLast(index) ? 0 : null;
        }),
        label: {
          show: !stacked || isLast(index),
          position: 'right',
          ...labelStyle,
          formatter: ({ dataIndex }: { dataIndex: number }) =>
            format(stacked ? (totals[dataIndex] ?? 0) : (figureOf(dataIndex, index) ?? 0)),
        },
      })),
    },
    (tag) => {
      const [, index, group] =
        /series_index="(\d+)" ecmeta_data_index="(\d+)" ecmeta_ssr_type="chart"/.exec(tag) ?? [];
      const value = figureOf(Number(group), Number(index));
      return isTold(value)
        ? `${groups[Number(group)]?.label}, ${series[Number(index)]}: ${format(value)} ${unit}`
        : undefined;
    },
  );
}

/** Lines between points. Each series has its color, its dashes, and its last value at its end. */
export function lineChart(chart: LineChartData): Markup {
  const { title, description, xLabel, yLabel, xRange, series, mark, formatX, formatY } = chart;
  return draw(
    {
      title,
      description,
      plotHeight: 252,
      plotTop: belowLegend + 20,
      endLabels: series.flatMap(({ points }) => points.slice(-1).map(({ y }) => formatY(y))),
    },
    {
      xAxis: { ...valueAxis(formatX), ...axisName, ...xRange, name: xLabel, splitLine: { show: false } },
      yAxis: {
        ...valueAxis(formatY),
        ...axisName,
        name: yLabel,
        nameLocation: 'end',
        nameGap: 26,
        nameTextStyle: { ...mutedStyle, align: 'left' },
      },
      series: series.map(({ name, points }, index) => ({
        type: 'line',
        name,
        clip: false,
        symbol: 'none',
        lineStyle: { width: 2.5, type: index === 0 ? 'solid' : [4 + 4 * index, 4] },
        data: points.map(({ x, y }, place) => ({
          value: [x, y],
          ...(place === points.length - 1 && endOfLine(formatY(y))),
        })),
        ...(index === 0 && mark !== undefined && { markLine: markLine(mark, xRange) }),
      })),
    },
    (tag) => series[Number(/--color-(\d)\)" stroke-width="2.5"/.exec(tag)?.[1]) - 1]?.name,
  );
}

function endOfLine(label: string): object {
  const shown = { show: true, position: 'right', ...labelStyle, formatter: () => label };
  return { symbol: 'circle', symbolSize: 6, label: shown };
}

function markLine({ x, label }: { x: number; label: string }, { min, max }: LineChartData['xRange']): object {
  const align = x < (min + max) / 2 ? 'left' : 'right';
  return {
    silent: true,
    symbol: 'none',
    lineStyle: { color: ink, type: [3, 4], width: 1 },
    label: { position: 'end', align, ...labelStyle, formatter: () => label },
    data: [{ xAxis: x }],
  };
}

function valueAxis(format: (value: number) => string): object {
  return {
    type: 'value',
    ...withoutLine,
    splitLine: { lineStyle: { color: gridColor } },
    axisLabel: { ...mutedStyle, formatter: format },
  };
}

interface Frame {
  readonly title: string;
  readonly description: string;
  readonly plotHeight: number;
  readonly plotTop: number;
  /** What stands to the right of what is drawn. */
  readonly endLabels: readonly string[];
}

/** What a browser shows of a shape under the pointer, by its tag. */
type Tooltip = (tag: string) => string | undefined;

/** An SVG image that stands alone, and in a page. */
function draw(
  { title, description, plotTop, plotHeight, endLabels }: Frame,
  option: EChartsCoreOption,
  tooltip: Tooltip,
): Markup {
  const height = plotTop + plotHeight + 48;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({
      animation: false,
      backgroundColor: 'var(--surface)',
      color: [1, 2, 3, 4, 5].map((number) => `var(--color-${number})`),
      textStyle: { fontFamily: 'system-ui, sans-serif' },
      title: { text: title, left: 10, top: 6, textStyle: { color: ink, fontSize: 15, fontWeight: 600 } },
      legend: { show: plotTop > belowTitle, left: 10, top: 36, itemGap: 18, textStyle: labelStyle },
      grid: {
        // Fonts differ: a label may be wider than echarts expects.
        left: 28,
        top: plotTop,
        right: 28 + 7.5 * Math.max(0, ...endLabels.map((label) => label.length)),
        bottom: 48,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
      ...option,
    });
    const size = { markup: `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"` };
    return markup`<svg xmlns="http://www.w3.org/2000/svg" class="chart" ${size} role="img">
<title>${title}</title>
<desc>${description}</desc>
<style>${{ markup: style }}</style>
${shapes(chart.renderToSVGString(), tooltip)}
</svg>`;
  } finally {
    chart.dispose();
  }
}

/** Without what echarts adds for its scripts: those names differ from chart to chart of one process. */
function shapes(svg: string, tooltip: Tooltip): Markup[] {
  const [drawn = ''] = svg.split(/<(?:defs|style) /);
  const tags = drawn.split('\n').filter((line) => /^<(rect|path|text) /.test(line) && !invisible.test(line));
  return tags.map((tag) => {
    const told = tooltip(tag);
    // echarts has escaped the rest.
    const plain = printable(tag)
      .replaceAll(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, '')
      .replace(' fill="#000"', ' fill="none"');
    if (told === undefined) return { markup: plain };
    return { markup: plain.replace('><', () => `>${markup`<title>${told}</title>`.markup}<`) };
  });
}

/** The areas in which the scripts of echarts take clicks, and lines without points. */
const invisible = / d=""|fill-opacity="0"|^(?!.* stroke=).*fill="none"/;
