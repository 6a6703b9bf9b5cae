import { textTable } from '../../lib/charts/text-table.ts';
import type { BenchmarkRecord } from '../benchmark/record.ts';
import { type GoalOutcome, goalOutcomes, shortfalls } from '../limits/goals.ts';
import { reasons } from '../limits/reasons.ts';
import { sectionsOf } from './sections.ts';

/** What a run prints: the tables of each measured part, the goals, and the reasons of missed goals. */
export function reportText(record: BenchmarkRecord, told: typeof reasons = reasons): string {
  const outcomes = goalOutcomes(record);
  const sections = Object.values(sectionsOf(record)).flatMap(({ heading, tables }) => [
    heading,
    ...tables.map(({ head, rows }) => textTable([head, ...rows]).join('\n')),
  ]);
  return [
    ...sections,
    ...(outcomes.length === 0 ? [] : ['Goals', goalsText(outcomes), ...reasonsTexts(outcomes, told)]),
  ].join('\n\n');
}

function goalsText(outcomes: readonly GoalOutcome[]): string {
  const rows = outcomes.map(({ title, goal, figure, isReached }) => [
    title,
    goal,
    figure,
    isReached ? 'reached' : 'NOT REACHED',
  ]);
  return textTable(rows, ['left', 'left', 'right', 'left']).join('\n');
}

function reasonsTexts(outcomes: readonly GoalOutcome[], told: typeof reasons): string[] {
  return shortfalls(outcomes, told).map(({ missed, reason }) => {
    const figures = missed.map(({ title, figure }) => `${title}: ${figure}`);
    return `${figures.join('\n')}\n${reason ?? 'Nobody has told why yet: bench/limits/reasons.ts.'}`;
  });
}
