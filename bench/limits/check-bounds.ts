import type { BenchmarkFigures } from '../benchmark/benchmark-figures.ts';
import type { BenchmarkRecord } from '../benchmark/record.ts';
import { boundsOf } from './bounds.ts';
import { derivedFigures, type FigureName } from './derived-figures.ts';
import { describeLimit, isWithin, type Limit } from './limit.ts';

interface BoundCheck {
  readonly name: FigureName;
  /** What is worse than its bound, in words; undefined if the bound is met. */
  readonly complaint: string | undefined;
}

/** Of the bounds of such a run, those whose parts were measured. */
export function checkBounds(
  record: Partial<BenchmarkFigures> & Pick<BenchmarkRecord, 'depth'>,
  limits: Partial<Record<FigureName, Limit>> = boundsOf(record.depth),
): BoundCheck[] {
  return (Object.entries(limits) as [FigureName, Limit][]).flatMap(([name, limit]) => {
    const { title, format, valueIn } = derivedFigures[name];
    const value = valueIn(record);
    if (value === undefined) return [];
    const worse = `${title} is ${format(value)}, its bound is ${describeLimit(limit, format)}`;
    return { name, complaint: isWithin(limit, value) ? undefined : worse };
  });
}
