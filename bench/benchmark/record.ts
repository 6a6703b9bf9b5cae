import type { BenchRun } from './bench-run.ts';
import type { BenchmarkFigures } from './benchmark-figures.ts';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** Gigabytes of 1,024 megabytes. */
  readonly memoryGB: number;
  readonly os: string;
}

/** The figures of one run, of the parts that it measured, and what they were measured on and with. */
export interface BenchmarkRecord extends Partial<BenchmarkFigures> {
  /** In UTC: 2026-01-31. */
  readonly date: string;
  readonly depth: BenchRun['depth'];
  readonly machine: Machine;
  /** By the name of the package, and `node`. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Of a run that measured all parts: what the page can be made of. */
export type CompleteRecord = BenchmarkRecord & BenchmarkFigures;
