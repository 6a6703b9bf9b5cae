/** Whether one of the values that an event has in a field is what a pattern waits for. */
export type LeafTest = (leaves: readonly unknown[]) => boolean;

type ValueTest = (value: unknown) => boolean;

const comparisons: Readonly<Record<string, (value: number, operand: number) => boolean>> = {
  '=': (value, operand) => value === operand,
  '<': (value, operand) => value < operand,
  '<=': (value, operand) => value <= operand,
  '>': (value, operand) => value > operand,
  '>=': (value, operand) => value >= operand,
};

/** The match types. Each makes a test of its operand, unless it does not take such an operand. */
const matchTypes: Readonly<Record<string, (operand: unknown) => ValueTest | undefined>> = {
  prefix: onStrings((value, operand) => value.startsWith(operand)),
  suffix: onStrings((value, operand) => value.endsWith(operand)),
  'equals-ignore-case': onStrings((value, operand) => value.toLowerCase() === operand.toLowerCase()),
  wildcard: onStrings(matchesWildcard),
  numeric: numericTest,
  'anything-but': (operand) => {
    const refused = [operand].flat();
    if (refused.length > 0 && refused.every(isScalar)) return (value) => !refused.includes(value);
    const test = matchTest(operand);
    return test && ((value) => !test(value));
  },
};

/** @returns undefined for what is no alternative of a pattern */
export function leafTest(alternative: unknown): LeafTest | undefined {
  if (typeof alternative !== 'object' || alternative === null)
    return (leaves) => leaves.includes(alternative);
  const { exists, ...others } = alternative as { readonly exists?: unknown };
  if (typeof exists === 'boolean' && Object.keys(others).length === 0) {
    return (leaves) => leaves.length > 0 === exists;
  }
  const test = matchTest(alternative);
  return test && ((leaves) => leaves.some(test));
}

/** @param match one match type with its operand: `{ prefix: 'shop.' }` */
function matchTest(match: unknown): ValueTest | undefined {
  const [[name, operand] = ['', undefined], ...others] = Object.entries(match ?? {});
  return others.length === 0 ? matchTypes[name]?.(operand) : undefined;
}

function onStrings(holds: (value: string, operand: string) => boolean) {
  return (operand: unknown): ValueTest | undefined =>
    typeof operand === 'string' ? (value) => typeof value === 'string' && holds(value, operand) : undefined;
}

/** One comparison or two: `['>', 0, '<=', 100]`. */
function numericTest(operand: unknown): ValueTest | undefined {
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4)) return undefined;
  const tests = [0, 2].slice(0, operand.length / 2).map((at): ValueTest | undefined => {
    const [compare, bound] = [comparisons[operand[at]], operand[at + 1]];
    if (compare === undefined || typeof bound !== 'number') return undefined;
    return (value) => typeof value === 'number' && compare(value, bound);
  });
  return tests.includes(undefined) ? undefined : (value) => tests.every((test) => test?.(value));
}

/** A regular expression with several `.*` would try every way to share a value among them. */
function matchesWildcard(value: string, wildcard: string): boolean {
  const [first = '', ...others] = wildcard.split('*');
  const last = others.pop();
  if (last === undefined) return value === wildcard;
  if (!value.startsWith(first)) return false;
  let from = first.length;
  for (const literal of others) {
    const at = value.indexOf(literal, from);
    if (at === -1) return false;
    from = at + literal.length;
  }
  return value.length - last.length >= from && value.endsWith(last);
}

function isScalar(operand: unknown): boolean {
  return typeof operand === 'string' || typeof operand === 'number';
}
