import type { BenchmarkFigures } from '../benchmark/benchmark-figures.ts';
import { formatRatio } from '../benchmark/format.ts';

/** A ratio or a count, made of the figures of one part, that says how sagabox stands. */
export interface DerivedFigure {
  readonly title: string;
  readonly format: (value: number) => string;
  /** Nothing when its part was not measured. */
  readonly valueIn: (figures: Partial<BenchmarkFigures>) => number | undefined;
}

export function derived<Part extends keyof BenchmarkFigures>(
  part: Part,
  title: string,
  value: (figures: BenchmarkFigures[Part]) => number,
  format = formatRatio,
): DerivedFigure {
  return {
    title,
    format,
    valueIn(figures) {
      const ofPart: BenchmarkFigures[Part] | undefined = figures[part];
      return ofPart === undefined ? undefined : value(ofPart);
    },
  };
}

/** Nothing at all is no more than nothing: 0 / 0 is 0. */
export function ratioOf(own: number, peer: number): number {
  return own === 0 ? 0 : own / peer;
}
