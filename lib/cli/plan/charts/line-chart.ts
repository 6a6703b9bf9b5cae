import {
  CHARACTER_WIDTH,
  CHART_WIDTH,
  type ChartText,
  chartFrame,
  colorClass,
  legend,
  svgText,
} from './chart-frame.ts';
import { element, lines, type Markup } from './markup.ts';
import { linearScale, ticksUpTo } from './scale.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface LineChart extends ChartText {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xTicks: readonly number[];
  readonly series: readonly { readonly name: string; readonly points: readonly Point[] }[];
  /** A place on the x axis that is worth knowing. */
  readonly mark?: { readonly x: number; readonly label: string } | undefined;
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
}

const PLOT_HEIGHT = 240;

/** Lines between points; each series has its colour, its dashes, and its last value at its end. */
export function lineChart(chart: LineChart): Markup {
  const { series, xTicks, mark } = chart;
  const names = legend(
    series.map(({ name }) => name),
    44,
  );
  const top = 44 + names.height + 30;
  const bottom = top + PLOT_HEIGHT;
  const ticks = ticksUpTo(Math.max(0, ...series.flatMap(({ points }) => points.map(({ y }) => y))));
  const ends = series.flatMap(({ points }) => points.slice(-1).map(({ y: last }) => last));
  const plot = {
    left: 24 + widest(ticks.map(chart.formatY)),
    right: CHART_WIDTH - 24 - widest(ends.map(chart.formatY)),
  };
  const x = linearScale([xTicks[0] ?? 0, xTicks.at(-1) ?? 1], [plot.left, plot.right]);
  const y = linearScale([0, ticks.at(-1) ?? 1], [bottom, top]);
  return chartFrame(
    chart,
    bottom + 52,
    lines(
      names.markup,
      svgText({ class: 'muted', x: 16, y: top - 14 }, chart.yLabel),
      ...ticks.map((tick) =>
        lines(
          element('line', { class: 'grid', x1: plot.left, x2: plot.right, y1: y(tick), y2: y(tick) }),
          svgText(
            { class: 'muted', x: plot.left - 8, y: y(tick) + 4, 'text-anchor': 'end' },
            chart.formatY(tick),
          ),
        ),
      ),
      ...xTicks.map((tick) =>
        svgText({ class: 'muted', x: x(tick), y: bottom + 20, 'text-anchor': 'middle' }, chart.formatX(tick)),
      ),
      svgText(
        { class: 'muted', x: (plot.left + plot.right) / 2, y: bottom + 42, 'text-anchor': 'middle' },
        chart.xLabel,
      ),
      ...(mark === undefined ? [] : [markLine(mark.label, x(mark.x), top, bottom)]),
      ...series.map(({ name, points }, index) => {
        const last = points.at(-1);
        const path = points.map((point, place) => `${place === 0 ? 'M' : 'L'}${at(x(point.x), y(point.y))}`);
        return lines(
          element(
            'path',
            {
              class: `line ${colorClass('stroke', index)}`,
              d: path.join(' '),
              'stroke-dasharray': index === 0 ? undefined : `${4 + 4 * index} 4`,
            },
            element('title', {}, name),
          ),
          ...(last === undefined
            ? []
            : [svgText({ x: x(last.x) + 8, y: y(last.y) + 4 }, chart.formatY(last.y))]),
        );
      }),
    ),
  );
}

function markLine(label: string, x: number, top: number, bottom: number): Markup {
  const isLeft = x < CHART_WIDTH / 2;
  return lines(
    element('line', { class: 'mark', x1: x, x2: x, y1: top, y2: bottom }),
    svgText({ x: x + (isLeft ? 8 : -8), y: top + 12, 'text-anchor': isLeft ? 'start' : 'end' }, label),
  );
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length)) * CHARACTER_WIDTH;
}

function at(x: number, y: number): string {
  return `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;
}
