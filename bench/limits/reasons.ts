import type { GoalName } from './goals.ts';

/**
 * Why a goal is not reached, as found by profiling: Markdown, one paragraph each, for docs/benchmarks.md. Shown only while the
 * goal is not reached; the page is not made as long as one is missing.
 */
export const reasons: Partial<Record<GoalName, string>> = {};
