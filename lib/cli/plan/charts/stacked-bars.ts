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

export interface StackedBars extends ChartText {
  /** What is counted, such as 'units'. */
  readonly unit: string;
  /** Names of the parts, in the order in which they are stacked. */
  readonly series: readonly string[];
  /** One bar each, with the values of the series. */
  readonly bars: readonly { readonly label: string; readonly values: readonly number[] }[];
  readonly format: (value: number) => string;
}

const barHeight = 26;
const barGap = 14;
const right = CHART_WIDTH - 70;

/** Bars from left to right, each of parts, with their sum at the end. */
export function stackedBars(chart: StackedBars): Markup {
  const { bars, series, unit, format } = chart;
  const totals = bars.map(({ values }) => values.reduce((total, value) => total + value, 0));
  const ticks = ticksUpTo(Math.max(0, ...totals));
  const left = 30 + Math.max(0, ...bars.map(({ label }) => label.length)) * CHARACTER_WIDTH;
  const x = linearScale([0, ticks.at(-1) ?? 1], [left, right]);
  const names = legend(series, 44);
  const top = 44 + names.height + 10;
  const bottom = top + bars.length * (barHeight + barGap);
  return chartFrame(
    chart,
    bottom + 48,
    lines(
      names.markup,
      ...ticks.map((tick) =>
        lines(
          element('line', { class: 'grid', x1: x(tick), x2: x(tick), y1: top - 4, y2: bottom }),
          svgText({ class: 'muted', x: x(tick), y: bottom + 18, 'text-anchor': 'middle' }, format(tick)),
        ),
      ),
      svgText({ class: 'muted', x: (left + right) / 2, y: bottom + 38, 'text-anchor': 'middle' }, chart.unit),
      ...bars.map(({ label, values }, row) => {
        const y = top + row * (barHeight + barGap);
        const total = totals[row] ?? 0;
        const middle = y + barHeight / 2 + 5;
        return lines(
          svgText({ x: left - 10, y: middle, 'text-anchor': 'end' }, label),
          ...parts(values).map(({ index, value, start }) =>
            element(
              'rect',
              {
                class: `${colorClass('fill', index)} edge`,
                x: x(start),
                y,
                width: x(start + value) - x(start),
                height: barHeight,
              },
              element('title', {}, `${label}, ${series[index]}: ${format(value)} ${unit}`),
            ),
          ),
          svgText({ x: x(total) + 8, y: middle }, format(total)),
        );
      }),
    ),
  );
}

/** Those that are there, with where each starts. */
function parts(values: readonly number[]): { index: number; value: number; start: number }[] {
  let start = 0;
  return values
    .map((value, index) => {
      const part = { index, value, start };
      start += value;
      return part;
    })
    .filter(({ value }) => value > 0);
}
