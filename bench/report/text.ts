import { textTable } from '../../lib/cli/charts/text-table.ts';
import type { BenchmarkRecord } from '../benchmark/record.ts';
import { type GoalOutcome, goalOutcomes } from '../limits/goals.ts';
import { sectionsOf } from './sections.ts';

/** What a run prints: a table or two for each part that was measured, and its goals. */
export function reportText(record: BenchmarkRecord): string {
  const outcomes = goalOutcomes(record);
  const sections = sectionsOf(record).flatMap(({ heading, tables }) => [
    heading,
    ...tables.map(({ head, rows }) => textTable([head, ...rows]).join('\n')),
  ]);
  return [...sections, ...(outcomes.length === 0 ? [] : ['Goals', goalsText(outcomes)])].join('\n\n');
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
