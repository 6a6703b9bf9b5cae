import { durationProblem } from '../duration.ts';
import { SagaboxError } from '../failures/errors.ts';
import { valueText } from '../failures/thrown.ts';
import { renamedProblem } from './renamed-settings.ts';

/** What is wrong with an option's value; undefined for one that can be used. */
export type OptionCheck = (value: unknown, setting: string) => WrongSetting | undefined;

interface WrongSetting {
  /** With its path, as in `recoverability.policy`. */
  readonly setting: string;
  readonly problem: string;
}

/** For options that their own settings check. */
export const anyValue: OptionCheck = () => undefined;

export const aFunction = kind('a function', (value) => typeof value === 'function');
export const aNumber = kind('a number', (value) => typeof value === 'number');
/** Also an empty one. */
export const anyText = kind('a text', (value) => typeof value === 'string');
export const aText = kind(
  'a text of one character at least',
  (value) => typeof value === 'string' && value !== '',
);
export const trueOrFalse = kind('true or false', (value) => typeof value === 'boolean');
export const anObject = kind(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

export const aDuration: OptionCheck = (value, setting) => {
  const problem = durationProblem(value);
  return problem === undefined ? undefined : { setting, problem };
};

/** An object with these methods. */
export function withMethods(...names: readonly string[]): OptionCheck {
  return (value, setting) =>
    anObject(value, setting) ??
    missing(
      setting,
      names.filter((name) => typeof Object(value)[name] !== 'function'),
    );
}

/** An object with these objects in it. */
export function withParts(...names: readonly string[]): OptionCheck {
  return (value, setting) =>
    anObject(value, setting) ??
    missing(
      setting,
      names.filter((name) => anObject(Object(value)[name], name) !== undefined),
    );
}

/** An object with no settings but these. */
export function withSettings(checks: Readonly<Record<string, OptionCheck>>): OptionCheck {
  return (value, setting) =>
    anObject(value, setting) ?? wrongSetting(value as object, checks, `${setting}.`, setting);
}

/**
 * Refuses options that cannot be what was meant; an option that is undefined is none.
 *
 * @param of the function that they are given to
 * @throws SagaboxError `Configuration`
 */
export function assertOptionKinds(
  of: string,
  options: unknown,
  checks: Readonly<Record<string, OptionCheck>>,
): void {
  const wrong =
    anObject(options, `the options of ${of}`) ??
    wrongSetting(options as object, checks, '', `the options of ${of}`);
  if (wrong) throw new SagaboxError('Configuration', { ...wrong, remedy: 'See docs/reference/options.md' });
}

function wrongSetting(
  settings: object,
  checks: Readonly<Record<string, OptionCheck>>,
  prefix: string,
  whole: string,
): WrongSetting | undefined {
  for (const [name, value] of Object.entries(settings)) {
    const setting = `${prefix}${name}`;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const known = Object.keys(checks).join(', ');
      return { setting, problem: renamedProblem(name) ?? `there is no such setting (${whole}: ${known})` };
    }
    const wrong = value === undefined ? undefined : check(value, setting);
    if (wrong) return wrong;
  }
  return undefined;
}

function kind(name: string, is: (value: unknown) => boolean): OptionCheck {
  return (value, setting) =>
    is(value) ? undefined : { setting, problem: `${valueText(value)} is not ${name}` };
}

function missing(setting: string, names: readonly string[]): WrongSetting | undefined {
  return names.length === 0 ? undefined : { setting, problem: `it lacks ${names.join(', ')}` };
}
