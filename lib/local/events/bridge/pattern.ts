import { isMatcher, matchesValue } from './value-matcher.ts';

/** A parsed EventPattern: nested objects, whose leaves are lists of alternatives. */
export type EventPattern = Readonly<Record<string, unknown>>;

/**
 * Whether an event is what a rule waits for: every field of the pattern holds, by any of its alternatives. A
 * field of the event that is a list matches when one of its elements does. Source: "Creating Amazon
 * EventBridge event patterns".
 */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  if (Array.isArray(event)) return event.some((element) => matchesPattern(pattern, element));
  return Object.entries(pattern).every(([name, expected]) => {
    if (name === '$or') return (expected as EventPattern[]).some((branch) => matchesPattern(branch, event));
    const value = isObject(event) ? event[name] : undefined;
    return Array.isArray(expected)
      ? matchesLeaf(expected, value)
      : matchesPattern(expected as EventPattern, value);
  });
}

/** What is wrong with a pattern, or undefined. Says so too of what is valid on AWS and not played here. */
export function patternProblem(pattern: unknown): string | undefined {
  if (!isObject(pattern) || Object.keys(pattern).length === 0) return 'Filter is not a non-empty object';
  for (const [name, expected] of Object.entries(pattern)) {
    const problem = name === '$or' ? branchesProblem(expected) : fieldProblem(name, expected);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function matchesLeaf(alternatives: readonly unknown[], value: unknown): boolean {
  const elements = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const leaves = elements.filter((element) => !isObject(element) && !Array.isArray(element));
  return alternatives.some((alternative) =>
    isObject(alternative) && 'exists' in alternative
      ? alternative.exists === leaves.length > 0
      : leaves.some((leaf) => matchesValue(alternative, leaf)),
  );
}

function branchesProblem(branches: unknown): string | undefined {
  if (!Array.isArray(branches) || branches.length < 2) return "'$or' is not a list of two patterns or more";
  return branches.map(patternProblem).find((problem) => problem !== undefined);
}

function fieldProblem(name: string, expected: unknown): string | undefined {
  if (isObject(expected)) return patternProblem(expected);
  if (!Array.isArray(expected) || expected.length === 0)
    return `'${name}' is not an object or a non-empty list`;
  const unknown = expected.find((alternative) => !isAlternative(alternative));
  return unknown === undefined
    ? undefined
    : `'${name}' has a match type that the local EventBridge does not know: ${JSON.stringify(unknown)}`;
}

function isAlternative(alternative: unknown): boolean {
  if (!isObject(alternative)) return !Array.isArray(alternative) && alternative !== undefined;
  return typeof alternative.exists === 'boolean'
    ? Object.keys(alternative).length === 1
    : isMatcher(alternative);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
