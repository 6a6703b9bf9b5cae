import { durationProblem } from '../duration.ts';
import { configurationError } from '../failures/errors.ts';
import { describeValue } from '../failures/thrown.ts';
import { nameQuestion } from './similar-name.ts';
import { isJsonObject } from './value-kind.ts';

/** What is wrong with an option's value; undefined for one that can be used. */
export type OptionCheck = (value: unknown, setting: string) => WrongSetting | undefined;

export type OptionChecks = Readonly<Record<string, OptionCheck>>;

export interface WrongSetting {
  /** With its path, as in `recoverability.policy`. */
  readonly setting: string;
  readonly problem: string;
}

/** For options that their own settings check. */
export const anyValue: OptionCheck = () => undefined;

export const aFunction = kind('a function', (value) => typeof value === 'function');
export const aNumber = kind('a number', (value) => typeof value === 'number');
export const aString = kind('a string', (value) => typeof value === 'string');
export const aNonEmptyString = kind(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
);
export const trueOrFalse = kind('true or false', (value) => typeof value === 'boolean');
export const anObject = kind('an object', isJsonObject);
/** A value that is none, such as a contract without its brackets, may be too long to tell. */
export const aList: OptionCheck = (value, setting) =>
  Array.isArray(value) ? undefined : { setting, problem: 'it is no list' };

export const aDuration: OptionCheck = (value, setting) => {
  const problem = durationProblem(value);
  return problem === undefined ? undefined : { setting, problem };
};

export function withMethods(...names: readonly string[]): OptionCheck {
  return withMembers(aFunction, names);
}

export function withParts(...names: readonly string[]): OptionCheck {
  return withMembers(anObject, names);
}

export function withSettings(checks: OptionChecks): OptionCheck {
  return (value, setting) =>
    anObject(value, setting) ?? wrongSetting(value as object, checks, `${setting}.`, setting);
}

export interface OptionPlace {
  /** That describes them. @default 'docs/reference/options.md' */
  readonly page?: string;
  /** Goes ahead of the name of a setting, where many have the same. @default none */
  readonly prefix?: string;
  /** What takes an option that these do not have, if anything does. @default nothing */
  readonly takerOf?: (name: string) => string | undefined;
}

/**
 * Refuses options that cannot be what was meant; an option that is undefined is none.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertOptionKinds(
  of: string,
  options: unknown,
  checks: OptionChecks,
  { page = 'docs/reference/options.md', prefix = '', takerOf }: OptionPlace = {},
): void {
  const whole = `the options of ${of}`;
  const wrong = anObject(options, whole) ?? wrongSetting(options as object, checks, prefix, whole, takerOf);
  if (wrong) throw configurationError(wrong.setting, wrong.problem, `See ${page}`);
}

function wrongSetting(
  settings: object,
  checks: OptionChecks,
  prefix: string,
  whole: string,
  takerOf?: OptionPlace['takerOf'],
): WrongSetting | undefined {
  for (const [name, value] of Object.entries(settings)) {
    const setting = `${prefix}${name}`;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const taker = takerOf?.(name);
      const problem = taker
        ? `it is no option here, but of ${taker}`
        : unknownProblem(name, Object.keys(checks), whole);
      return { setting, problem };
    }
    const wrong = value === undefined ? undefined : check(value, setting);
    if (wrong) return wrong;
  }
  return undefined;
}

function unknownProblem(name: string, known: readonly string[], whole: string): string {
  const hint = nameQuestion(name, known) ?? `${whole}: ${known.join(', ')}`;
  return `there is no such setting (${hint})`;
}

/** @param name with its article, as in 'a string' */
export function kind(
  name: string,
  is: (value: unknown) => boolean,
  describe: (value: unknown) => string = describeValue,
): OptionCheck {
  return (value, setting) =>
    is(value) ? undefined : { setting, problem: `${describe(value)} is not ${name}` };
}

function withMembers(isWrong: OptionCheck, names: readonly string[]): OptionCheck {
  return (value, setting) => {
    const missing = names.filter((name) => isWrong(Object(value)[name], name));
    const problem = `it lacks ${missing.join(', ')}`;
    return anObject(value, setting) ?? (missing.length > 0 ? { setting, problem } : undefined);
  };
}
