import type { MeasuredFigures } from '../benchmark/figures.ts';
import { describeLimit, isWithin } from '../limits/judged.ts';
import { judgedFigures } from '../limits/verdicts.ts';

/** The goals of the measured parts, and each reason of missed goals once; undefined if they have none. */
export function goalsReport(figures: MeasuredFigures) {
  const goals = judgedFigures(figures).flatMap(({ title, value, format, goal }) => {
    if (goal === undefined) return [];
    const isReached = isWithin(goal, value);
    return {
      title,
      goal: describeLimit(goal, format),
      figure: format(value),
      isReached,
      reason: goal.reason,
    };
  });
  if (goals.length === 0) return undefined;
  const missed = goals.filter(({ isReached }) => !isReached);
  return {
    table: {
      head: ['figure', 'goal', 'measured', 'result'],
      rows: goals.map(({ title, goal, figure, isReached }) => {
        return [title, goal, figure, isReached ? 'reached' : '**not reached**'];
      }),
    },
    reasons: [...Map.groupBy(missed, ({ reason }) => reason)].map(([reason, together]) => ({
      missed: together.map(({ title, figure }) => `${title}: ${figure}`).join('; '),
      reason,
    })),
  };
}
