import { durationProblem } from '../duration.ts';
import { isJsonObject } from '../values/value-kind.ts';
import { type Problem, Problems, problemsError, type Report } from './problems.ts';
import { nameQuestion } from './similar-name.ts';

const MAX_DESCRIBED_CHARACTERS = 300;

/**
 * A check reports every problem of a value.
 *
 * @param at the path of the value
 * @returns what of the value can be used; `undefined` if nothing
 */
export type Check = (value: unknown, at: string, report: Report) => unknown;

export type Checks = Readonly<Record<string, Check>>;

/** Accepts any value: the code that reads the setting checks it. */
export const anyValue: Check = (value) => value;

/**
 * A check of a value by itself.
 *
 * @param problemOf a value; `undefined` for one that can be used
 */
export function checkOf(
  problemOf: (value: unknown, described: () => string) => string | undefined,
  remedy = 'Use one',
): Check {
  return (value, at, report) => {
    // What was not meant may be as large as a library: a contract without its brackets, say.
    const described = () => shortened(report.describe(value));
    const problem = problemOf(value, described);
    if (problem === undefined) return value;
    report.add(at, problem, remedy);
    return undefined;
  };
}

/** @param name with its article, as in 'a string' */
export function kind(name: string, is: (value: unknown) => boolean, remedy?: string): Check {
  return checkOf((value, described) => (is(value) ? undefined : `${described()} is not ${name}`), remedy);
}

export const aFunction = kind('a function', (value) => typeof value === 'function');
export const aNumber = kind('a number', (value) => typeof value === 'number');
export const aString = kind('a string', (value) => typeof value === 'string');
export const aNonEmptyString = kind(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
);
export const trueOrFalse = kind('true or false', (value) => typeof value === 'boolean', 'Use true or false');
export const anObject = kind('an object', isJsonObject);
export const aList = kind('a list', Array.isArray);
export const aDuration = checkOf(durationProblem);

/** Takes values that `accepts` as they are, and checks all others. */
export function unless(accepts: (value: unknown) => boolean, check: Check): Check {
  return (value, at, report) => (accepts(value) ? value : check(value, at, report));
}

export function oneOf(...known: readonly string[]): Check {
  return oneOfThese(known, known.map((each) => `'${each}'`).join(' or '));
}

/** @param wanted as in "a value of RetentionDays" */
export function oneOfThese(known: readonly unknown[], wanted: string): Check {
  return checkOf(
    (value, described) => (known.includes(value) ? undefined : `${described()} is not known`),
    `Use ${wanted}`,
  );
}

/** A list without the elements that are wrong. */
export function listOf(check: Check): Check {
  return (given, at, report) =>
    Array.isArray(given)
      ? given
          .map((value, index) => check(value, `${at}[${index}]`, report))
          .filter((value) => value !== undefined)
      : aList(given, at, report);
}

/** Checks each value of an object whose names are free. */
export function recordOf(check: Check): Check {
  return (given, at, report) =>
    isJsonObject(given)
      ? mapped(given, (value, name) => check(value, pathOf(at, name), report))
      : anObject(given, at, report);
}

export function withMethods(...names: readonly string[]): Check {
  return withMembers('function', names);
}

export function withParts(...names: readonly string[]): Check {
  return withMembers('object', names);
}

function withMembers(type: 'function' | 'object', names: readonly string[]): Check {
  return checkOf(
    (value, described) => {
      if (!isJsonObject(value)) return `${described()} is not an object`;
      const missing = names.filter((name) => typeof value[name] !== type || value[name] === null);
      return missing.length > 0 ? `it lacks ${missing.join(', ')}` : undefined;
    },
    `Give one with ${names.join(', ')}`,
  );
}

interface Rows {
  /** The names of what nothing else reports where it is missing. @default none */
  readonly needs?: readonly string[];
  /** What takes a setting that the object does not have, if anything does. @default nothing */
  readonly takerOf?: (name: string) => string | undefined;
}

/** An object whose values have a check each. What is `undefined` in it is not given. */
export function objectOf(checks: Checks, rows?: Rows): Check {
  return (value, at, report) =>
    isJsonObject(value) ? checkedParts(value, checks, at, report, rows) : anObject(value, at, report);
}

/** The parts of an object that can be used: without those that are wrong, and those that there are not. */
export function checkedParts(
  given: Readonly<Record<string, unknown>>,
  checks: Checks,
  at: string,
  report: Report,
  { needs = [], takerOf }: Rows = {},
): Record<string, unknown> {
  for (const name of needs.filter((needed) => given[needed] === undefined))
    report.add(pathOf(at, name), 'it is missing', 'Give it');
  return mapped(given, (value, name) => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check !== undefined) return check(value, pathOf(at, name), report);
    const taker = takerOf?.(name);
    if (taker === undefined) addUnknown(name, Object.keys(checks), at, report);
    else report.add(pathOf(at, name), `it is no option here, but of ${taker}`, 'Leave it out');
    return undefined;
  });
}

/** The values that are defined, each as it was read. */
export function mapped(
  given: Readonly<Record<string, unknown>>,
  read: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  const all = defined.map(([name, value]) => [name, read(value, name)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** Reports a setting that there is not, with the names that may have been meant. */
export function addUnknown(name: string, known: readonly string[], at: string, report: Report): void {
  const question = nameQuestion(name, known);
  const hint = question === undefined ? '' : ` (${question})`;
  report.add(pathOf(at, name), `there is no such setting${hint}`, 'Rename it, or leave it out');
}

export function pathOf(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

export function problemsOf(check: Check, value: unknown, at = ''): readonly Problem[] {
  const report = new Problems();
  check(value, at, report);
  return report.found;
}

interface OptionPlace extends Pick<Rows, 'takerOf'> {
  /** The page that describes the options. @default 'docs/reference/options.md' */
  readonly page?: string;
  /** What stands ahead of the path of each, where many have the same. @default none */
  readonly prefix?: string;
}

/**
 * Refuses options that cannot be what was meant; an option that is undefined is none.
 *
 * @throws SagaboxError `Configuration` with all of their problems
 */
export function assertOptionKinds(
  of: string,
  options: unknown,
  checks: Checks,
  { page = 'docs/reference/options.md', prefix, takerOf }: OptionPlace = {},
): void {
  const problems = problemsOf(objectOf(checks, takerOf && { takerOf }), options);
  if (problems.length > 0) throw problemsError(`the options of ${of}`, problems, { page, prefix });
}

/**
 * Refuses one value.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertCheck(check: Check, value: unknown, at: string, page?: string): void {
  const problems = problemsOf(check, value, at);
  if (problems.length > 0) throw problemsError(at, problems, { page });
}

function shortened(text: string): string {
  return text.length > MAX_DESCRIBED_CHARACTERS ? `${text.slice(0, MAX_DESCRIBED_CHARACTERS)}…` : text;
}
