import { type LeafTest, leafTest } from './leaf-test.ts';

/** Whether an event, or a part of it, is what a pattern waits for. */
type Test = (event: unknown) => boolean;

/**
 * Reads a parsed EventPattern: nested objects, whose leaves are lists of alternatives. Every field of the
 * pattern has to hold, by any of its alternatives. A field of the event that is a list matches when one of
 * its elements does. Source: "Creating Amazon EventBridge event patterns".
 *
 * @throws Error that says what is wrong with the pattern, or valid on AWS and not played here
 */
export function patternTest(pattern: unknown): Test {
  if (!isObject(pattern) || Object.keys(pattern).length === 0) {
    throw new Error('Filter is not a non-empty object');
  }
  const tests = Object.entries(pattern).map(([name, expected]) =>
    name === '$or' ? anyOf(expected) : fieldTest(name, expected),
  );
  const holds: Test = (event) =>
    Array.isArray(event) ? event.some(holds) : tests.every((test) => test(event));
  return holds;
}

function anyOf(branches: unknown): Test {
  if (!Array.isArray(branches) || branches.length < 2) {
    throw new Error("'$or' is not a list of two patterns or more");
  }
  const tests = branches.map(patternTest);
  return (event) => tests.some((test) => test(event));
}

function fieldTest(name: string, expected: unknown): Test {
  const holds = isObject(expected) ? patternTest(expected) : leavesTest(name, expected);
  return (event) => holds(isObject(event) ? event[name] : undefined);
}

function leavesTest(name: string, alternatives: unknown): Test {
  if (!Array.isArray(alternatives) || alternatives.length === 0) {
    throw new Error(`'${name}' is not an object or a non-empty list`);
  }
  const tests = alternatives.map((alternative): LeafTest => {
    const test = leafTest(alternative);
    if (test !== undefined) return test;
    const given = JSON.stringify(alternative);
    throw new Error(`'${name}' has a match type that the local EventBridge does not know: ${given}`);
  });
  return (value) => {
    const leaves = (value === undefined ? [] : [value].flat()).filter(
      (one) => one === null || Object(one) !== one,
    );
    return tests.some((test) => test(leaves));
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
