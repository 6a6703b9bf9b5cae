import type { Figures, MeasuredFigures, PartName } from '../benchmark/figures.ts';
import type { BenchmarkRecord } from '../benchmark/record.ts';
import { type Format, formatRatio } from '../report/format.ts';
import { judged } from './bounds.ts';
import { type Bound, describeLimit, isWithin, type Judged } from './judged.ts';

export interface JudgedFigure extends Omit<Judged<never>, 'value'> {
  readonly part: PartName;
  readonly value: number;
  readonly format: Format;
}

/** The figures of the measured parts that have bounds. */
export function judgedFigures(figures: MeasuredFigures): JudgedFigure[] {
  return (Object.keys(judged) as PartName[]).flatMap((part) => judgedFiguresOf(part, figures[part]));
}

function judgedFiguresOf<Part extends PartName>(part: Part, figures: Figures[Part] | undefined) {
  if (figures === undefined) return [];
  const ofPart: readonly Judged<Figures[Part]>[] = judged[part];
  return ofPart.map(({ value, ...rest }) => ({ part, format: formatRatio, ...rest, value: value(figures) }));
}

/** The bound in a run of this depth, if there is one. */
export function boundOf(bound: Judged<never>['bound'], depth: BenchmarkRecord['depth']): Bound | undefined {
  return 'full' in bound ? bound[depth] : bound;
}

/** Each bound of such a run, with a complaint if the figure is worse. A figure with a range depends on the machine. */
export function checkBounds({ depth, figures }: Pick<BenchmarkRecord, 'depth' | 'figures'>) {
  return judgedFigures(figures).flatMap(({ part, title, value, format, bound: bounds }) => {
    const bound = boundOf(bounds, depth);
    if (bound === undefined) return [];
    const worse = `${title} is ${format(value)}, its bound is ${describeLimit(bound, format)}`;
    const timedPart = bound.seen && part;
    return { title, timedPart, complaint: isWithin(bound, value) ? undefined : worse };
  });
}
