/** Compares one value of an event with what follows the name of a match type. */
interface ValueMatcher {
  /** Whether the operand is one that this match type takes. */
  readonly takes: (operand: unknown) => boolean;
  readonly matches: (operand: never, value: unknown) => boolean;
}

type Comparison = '=' | '<' | '<=' | '>' | '>=';

const comparisons: Readonly<Record<Comparison, (value: number, operand: number) => boolean>> = {
  '=': (value, operand) => value === operand,
  '<': (value, operand) => value < operand,
  '<=': (value, operand) => value <= operand,
  '>': (value, operand) => value > operand,
  '>=': (value, operand) => value >= operand,
};

const isString = (operand: unknown): operand is string => typeof operand === 'string';
const isScalar = (operand: unknown): boolean => typeof operand === 'string' || typeof operand === 'number';

function onStrings(matches: (value: string, operand: string) => boolean): ValueMatcher {
  return {
    takes: isString,
    matches: (operand: string, value) => isString(value) && matches(value, operand),
  };
}

const matchers: Readonly<Record<string, ValueMatcher>> = {
  prefix: onStrings((value, operand) => value.startsWith(operand)),
  suffix: onStrings((value, operand) => value.endsWith(operand)),
  'equals-ignore-case': onStrings((value, operand) => value.toLowerCase() === operand.toLowerCase()),
  wildcard: onStrings((value, operand) => wildcardExpression(operand).test(value)),
  numeric: { takes: isNumericRange, matches: isInRange },
  'anything-but': {
    takes: (operand) =>
      isScalar(operand) ||
      (Array.isArray(operand) ? operand.length > 0 && operand.every(isScalar) : isMatcher(operand)),
    matches: (operand: unknown, value) =>
      Array.isArray(operand) ? !operand.includes(value) : !matchesValue(operand, value),
  },
};

/** Whether the value is one alternative of a pattern: that very value, or one that its match type accepts. */
export function matchesValue(alternative: unknown, value: unknown): boolean {
  if (typeof alternative !== 'object' || alternative === null) return alternative === value;
  const [name, operand] = Object.entries(alternative)[0] ?? [''];
  return matchers[name]?.matches(operand as never, value) ?? false;
}

/** Whether an object of a pattern is one match type with an operand that it takes. */
export function isMatcher(alternative: unknown): boolean {
  if (typeof alternative !== 'object' || alternative === null) return false;
  const entries = Object.entries(alternative);
  const [name, operand] = entries[0] ?? [''];
  return entries.length === 1 && (matchers[name]?.takes(operand) ?? false);
}

function isNumericRange(operand: unknown): boolean {
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4)) return false;
  return operand.every((part, index) => (index % 2 === 0 ? part in comparisons : typeof part === 'number'));
}

function isInRange(operand: readonly unknown[], value: unknown): boolean {
  if (typeof value !== 'number') return false;
  const holds = (index: number): boolean =>
    comparisons[operand[index] as Comparison](value, operand[index + 1] as number);
  return holds(0) && (operand.length === 2 || holds(2));
}

function wildcardExpression(wildcard: string): RegExp {
  const literals = wildcard.split('*').map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`, 's');
}
