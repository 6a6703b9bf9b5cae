/** What every part of `npm run bench` is given. */
export interface BenchRun {
  /** `short` is what CI has time for: fewer rounds and smaller tables, for the same figures. */
  readonly depth: 'short' | 'full';
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}
