import { Construct, type IConstruct } from 'constructs';
import { kind, type OptionCheck } from '../../core/checks/option-checks.ts';
import { nameQuestion } from '../../core/checks/similar-name.ts';
import { configurationError } from '../../core/failures/errors.ts';
import { describeValue } from '../../core/failures/thrown.ts';
import { Problems } from '../problems.ts';

const MAX_DESCRIBED_CHARACTERS = 300;

/**
 * Reports a value that cannot be what was meant.
 *
 * @returns what the construct goes on with; `undefined` in place of a wrong value
 */
export type PropCheck = (value: unknown, setting: string, problems: Problems) => unknown;

/** A check for each prop, no more and no fewer; of a union, for the props of all its members. */
export type PropChecks<Props> = Readonly<Record<NameIn<Props>, PropCheck>>;

type NameIn<Props> = Props extends unknown ? Extract<keyof Props, string> : never;

/** For props that their own rules check. */
export const anyProp: PropCheck = (value) => value;

export function propCheck(check: OptionCheck, remedy = 'Use one'): PropCheck {
  return (value, setting, problems) => {
    const wrong = check(value, setting);
    if (wrong === undefined) return value;
    problems.add(wrong.setting, wrong.problem, remedy);
    return undefined;
  };
}

/** @param name with its article, as in 'a queue' */
export function propOf(name: string, is: (value: unknown) => boolean, remedy?: string): PropCheck {
  return propCheck(kind(name, is, describeProp), remedy);
}

/** Takes what is accepted, and leaves the rest to the check. */
export function unless(accepts: (value: unknown) => boolean, check: PropCheck): PropCheck {
  return (value, ...where) => (accepts(value) ? value : check(value, ...where));
}

/** Without the elements that are wrong. */
export function aListOf(check: PropCheck): PropCheck {
  const list = propOf('a list', Array.isArray);
  return (given, setting, problems) =>
    (list(given, setting, problems) as unknown[] | undefined)
      ?.map((value, index) => check(value, `${setting}[${index}]`, problems))
      .filter((value) => value !== undefined);
}

/** Values by names of any kind. */
export function aRecordOf(check: PropCheck): PropCheck {
  return (given, setting, problems) =>
    isPropsObject(given)
      ? mapped(definedNames(given), (name) => check(given[name], `${setting}.${name}`, problems))
      : anObject(given, setting, problems);
}

/** Props of CDK's own, of which a few are checked; it is for CDK to judge the others, and their names. */
export function propsOfCdk(checks: Readonly<Record<string, PropCheck>>): PropCheck {
  return (given, setting, problems) => {
    if (!isPropsObject(given)) return anObject(given, setting, problems);
    return mapped(Object.keys(given), (name) => {
      const check = Object.hasOwn(checks, name) && given[name] !== undefined ? checks[name] : undefined;
      return check === undefined ? given[name] : check(given[name], `${setting}.${name}`, problems);
    });
  };
}

/** Without what is wrong in it; left out as a whole if one that it needs is missing or wrong. */
export function withProps<Props extends object>(
  checks: PropChecks<Props>,
  { needs = [], name = 'an object' }: { needs?: readonly NameIn<Props>[]; name?: string } = {},
): PropCheck {
  const object = propOf(name, isPropsObject);
  return (given, setting, problems) => {
    if (!isPropsObject(given)) return object(given, setting, problems);
    const checked = checkedSettings(given, checks, needs, setting, problems);
    return needs.every((needed) => Object.hasOwn(checked, needed)) ? checked : undefined;
  };
}

/**
 * Props of which each is of its kind: any other is reported and left out, as are those that there are not. Of
 * a construct from another copy of a package, only the members count. Plain JavaScript can pass anything.
 *
 * @param needs the props that nothing else reports when they are missing
 * @param setting what the props are, as in 'capacity', if they are not those of a construct
 */
export function checkedProps<Props extends object>(
  given: Props | undefined,
  checks: PropChecks<Props>,
  problems: Problems,
  needs: readonly NameIn<Props>[] = [],
  setting = '',
): Partial<Props> {
  const isObject = given === undefined || isPropsObject(given);
  if (!isObject) anObject(given, setting || 'props', problems);
  const settings = isObject ? (given ?? {}) : {};
  return checkedSettings(settings, checks, needs, setting, problems) as Partial<Props>;
}

/**
 * For a method that has to return something, and cannot without its argument.
 *
 * @param argument by its name
 * @throws SagaboxError `Configuration` that tells all that is wrong with it
 */
export function argumentOf(
  method: string,
  { node }: IConstruct,
  argument: Readonly<Record<string, unknown>>,
  check: PropCheck,
): unknown {
  const problems = new Problems();
  const [checked] = Object.entries(argument).map(([name, value]) => check(value, name, problems));
  if (problems.found.length === 0) return checked;
  const all = problems.found.map((found) => found.slice(0, -1)).join('. ');
  throw configurationError(`${method} of '${node.path}'`, all, 'See docs/reference/constructs.md');
}

/** A user's value, for a sentence: of a construct its path. */
export function describeProp(value: unknown): string {
  if (Construct.isConstruct(value)) return `'${value.node.path}'`;
  const text = typeof value === 'string' ? `'${value}'` : describeValue(value);
  return text.length > MAX_DESCRIBED_CHARACTERS ? `${text.slice(0, MAX_DESCRIBED_CHARACTERS)}…` : text;
}

export const anObject = propOf('an object', isPropsObject);

function checkedSettings(
  given: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, PropCheck>>,
  needs: readonly string[],
  setting: string,
  problems: Problems,
): Record<string, unknown> {
  const pathOf = (name: string) => (setting === '' ? name : `${setting}.${name}`);
  const names = Object.keys(checks);
  for (const name of definedNames(given).filter((each) => !Object.hasOwn(checks, each))) {
    const question = nameQuestion(name, names);
    if (question === undefined)
      problems.add(pathOf(name), 'there is no such setting', `Use ${names.join(', ')}`);
    else problems.add(pathOf(name), `there is no such setting (${question})`, 'Rename it, or leave it out');
  }
  for (const name of needs.filter((needed) => given[needed] === undefined)) {
    problems.add(pathOf(name), 'it is missing', 'Give it');
  }
  return mapped(names, (name) =>
    given[name] === undefined ? undefined : checks[name]?.(given[name], pathOf(name), problems),
  );
}

/** What is set to `undefined` is not given, as a variable of the environment that is not there. */
function definedNames(given: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(given).filter((name) => given[name] !== undefined);
}

/** The values that there are, by their names. */
function mapped(names: readonly string[], read: (name: string) => unknown): Record<string, unknown> {
  const all = names.map((name) => [name, read(name)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** Of any class, but neither a construct nor one of JavaScript's own, such as a Date. */
function isPropsObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]' && !Construct.isConstruct(value);
}
