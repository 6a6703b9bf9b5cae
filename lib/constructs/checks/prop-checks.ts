import { Construct, type IConstruct } from 'constructs';
import { type Check, type Checks, checkedParts, kind, mapped, recordOf } from '../../kernel/checks/checks.ts';
import { problemText } from '../../kernel/checks/problems.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { PropProblems } from '../violations.ts';

/** A check for each prop, no more and no fewer; of a union, for the props of all its members. */
export type PropChecks<Props> = Readonly<Record<NameIn<Props>, Check>>;

export type NameIn<Props> = Props extends unknown ? Extract<keyof Props, string> : never;

export const anObject = kind('an object', isPropsObject);

/** Checks each value of a props object whose names are free. */
export function aRecordOf(check: Check): Check {
  const record = recordOf(check);
  return (given, at, report) => (isPropsObject(given) ? record : anObject)(given, at, report);
}

/** Props of CDK's own, of which a few are checked; it is for CDK to judge the others, and their names. */
export function propsOfCdk(checks: Checks): Check {
  return (given, at, report) => {
    if (!isPropsObject(given)) return anObject(given, at, report);
    return mapped(given, (value, name) => {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      return check === undefined ? value : check(value, `${at}.${name}`, report);
    });
  };
}

/** Props without what is wrong in them; `undefined` if one that they need is missing or wrong. */
export function withProps<Props extends object>(
  checks: PropChecks<Props>,
  { needs = [], name = 'an object' }: { needs?: readonly NameIn<Props>[]; name?: string } = {},
): Check {
  const object = kind(name, isPropsObject);
  return (given, at, report) => {
    if (!isPropsObject(given)) return object(given, at, report);
    const checked = checkedParts(given, checks, at, report, { needs });
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
  problems: PropProblems,
  needs: readonly NameIn<Props>[] = [],
  setting = '',
): Partial<Props> {
  const isObject = given === undefined || isPropsObject(given);
  if (!isObject) anObject(given, setting || 'props', problems);
  const settings = isObject ? (given ?? {}) : {};
  return checkedParts({ ...settings }, checks, setting, problems, { needs }) as Partial<Props>;
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
  check: Check,
): unknown {
  const problems = new PropProblems();
  const [checked] = Object.entries(argument).map(([name, value]) => check(value, name, problems));
  if (problems.found.length === 0) return checked;
  const all = problems.found.map(problemText).join('. ');
  throw configurationError(`${method} of '${node.path}'`, all, 'See docs/reference/constructs.md');
}

/** Of any class, but neither a construct nor one of JavaScript's own, such as a Date. */
function isPropsObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]' && !Construct.isConstruct(value);
}
