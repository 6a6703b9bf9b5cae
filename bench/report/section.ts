import type { Markup } from '../../lib/cli/plan/charts/markup.ts';

export interface Table {
  readonly head: readonly string[];
  /** The first cell of each row tells what it is of; the others are figures. */
  readonly rows: readonly (readonly string[])[];
}

export interface Chart {
  /** Of its file: `benchmark-<name>.svg`. */
  readonly name: string;
  readonly title: string;
  readonly drawn: Markup;
}

/** What is told of one part of the benchmark. */
export interface Section {
  readonly heading: string;
  /** How it is measured, and what each side does: paragraphs in Markdown. */
  readonly explanation: readonly string[];
  readonly tables: readonly Table[];
  readonly charts: readonly Chart[];
}
