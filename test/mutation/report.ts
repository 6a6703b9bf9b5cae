import { readFileSync } from 'node:fs';

/** What this project reads of Stryker's report. */
export interface MutationReport {
  /** By the file's path from the root. */
  readonly files: Readonly<Record<string, MutatedFile>>;
}

export interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

export interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  /** `RuntimeError` when no test could be run with it, for a cause that is not a failed test. */
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'RuntimeError' | 'Ignored';
  /** Lines and columns from 1; the end is behind the last character. */
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export function readReport(file: string): MutationReport {
  return JSON.parse(readFileSync(file, 'utf8')) as MutationReport;
}
