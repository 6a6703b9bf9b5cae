import type { BenchmarkFigures } from '../benchmark/benchmark-figures.ts';
import { derivedFigures, type FigureName } from './derived-figures.ts';
import { describeLimit, isWithin, type Limit } from './limit.ts';

/**
 * What sagabox is to reach. A goal that is not reached is shown with its reason; it is the bounds that a run
 * fails by.
 */
export const goals = {
  wcuN1: { atMost: 0.63 },
  wcuN3: { atMost: 0.58 },
  wcuN10: { atMost: 0.4 },
  wcuN3Incompressible: { atMost: 0.58 },
  wcuN10Incompressible: { atMost: 0.4 },
  callsN1: { atMost: 0.7 },
  callsBatch10: { atMost: 0.3 },
  overheadBatch10: { atMost: 1 },
  bundleKB: { below: 30 },
  bundleGzipKB: { below: 10 },
  bundleRatio: { below: 1 },
  bundleGzipRatio: { below: 1 },
  throughput1: { atLeast: 1.5 },
  throughput10: { atLeast: 1.5 },
  throughput50: { atLeast: 1.5 },
  throughput50Default: { atLeast: 1.5 },
  outboxUnits: { atMost: 1.1 },
  outboxTime: { atMost: 1.1 },
  stateUnits: { atMost: 1.1 },
  stateWcu: { atMost: 1.1 },
  stateRcu: { atMost: 1.1 },
  stateTime: { atMost: 1.1 },
} as const satisfies Partial<Record<FigureName, Limit>>;

export type GoalName = keyof typeof goals;

export interface GoalOutcome {
  readonly name: GoalName;
  readonly title: string;
  /** 'at most 0.630' */
  readonly goal: string;
  /** '0.625' */
  readonly figure: string;
  readonly isReached: boolean;
}

/** Of the goals whose parts were measured. */
export function goalOutcomes(figures: Partial<BenchmarkFigures>): GoalOutcome[] {
  return (Object.keys(goals) as GoalName[]).flatMap((name) => {
    const { title, format, valueIn } = derivedFigures[name];
    const value = valueIn(figures);
    if (value === undefined) return [];
    const goal = describeLimit(goals[name], format);
    return { name, title, goal, figure: format(value), isReached: isWithin(goals[name], value) };
  });
}

/** Goals that are not reached for the same reason. */
interface Shortfall {
  readonly missed: readonly GoalOutcome[];
  /** Nothing when nobody has told it. */
  readonly reason: string | undefined;
}

/** Each goal that is not reached, once; each one without a reason by itself. */
export function shortfalls(
  outcomes: readonly GoalOutcome[],
  told: Partial<Record<GoalName, string>>,
): Shortfall[] {
  const missed = outcomes.filter(({ isReached }) => !isReached);
  const byReason = Map.groupBy(missed, ({ name }) => told[name] ?? Symbol(name));
  return [...byReason].map(([reason, together]) => ({
    missed: together,
    reason: typeof reason === 'string' ? reason : undefined,
  }));
}
