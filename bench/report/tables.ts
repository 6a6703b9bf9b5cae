import type { BarChartData } from '../../lib/charts/chart.ts';
import { textTable } from '../../lib/charts/text-table.ts';
import type { Format } from './format.ts';

/** The first cell of each row is its label; the others are figures. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type LabeledRow<Row> = readonly [label: string, row: Row];
export type Column<Row, Value = number> = readonly [heading: string, value: (row: Row) => Value, Format];

export function tableOf<Row>(
  corner: string,
  rows: readonly LabeledRow<Row>[],
  columns: readonly Column<Row>[],
): Table {
  return {
    head: [corner, ...columns.map(([heading]) => heading)],
    rows: rows.map(([label, row]) => [label, ...columns.map(([, value, format]) => format(value(row)))]),
  };
}

/** A group of bars for each row, with a bar for each column. */
export function chartOf<Row>(
  title: string,
  unit: string,
  rows: readonly LabeledRow<Row>[],
  columns: readonly [Column<Row, number | undefined>, ...Column<Row, number | undefined>[]],
): BarChartData {
  const [[, , format]] = columns;
  return {
    title,
    unit,
    series: columns.map(([heading]) => heading),
    groups: rows.map(([label, row]) => ({ label, values: columns.map(([, value]) => value(row)) })),
    format,
  };
}

export function markdownTable({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---${'|---:'.repeat(head.length - 1)}|`, ...rows.map(line)].join('\n');
}

export function plainTable({ head, rows }: Table): string {
  return textTable([head, ...rows]).join('\n');
}
