import { SagaboxError } from './errors.ts';
import { valueText } from './thrown.ts';

/** The problem of an option's value; undefined for one that can be used. */
export type OptionCheck = (value: unknown) => string | undefined;

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

/** An object with these methods. */
export function withMethods(...names: readonly string[]): OptionCheck {
  return (value) => {
    const isMissing = (name: string) => typeof Object(value)[name] !== 'function';
    return anObject(value) ?? missing('method', names.filter(isMissing));
  };
}

/** An object with these objects in it. */
export function withParts(...names: readonly string[]): OptionCheck {
  return (value) => {
    const isMissing = (name: string) => anObject(Object(value)[name]) !== undefined;
    return anObject(value) ?? missing('part', names.filter(isMissing));
  };
}

/** An object with no properties but these, each of its own kind. */
export function withSettings(checks: Readonly<Record<string, OptionCheck>>): OptionCheck {
  return (value) => {
    const problem = anObject(value);
    if (problem !== undefined) return problem;
    for (const [name, setting] of Object.entries(value as object)) {
      if (!Object.hasOwn(checks, name)) {
        return `it has no setting '${name}' (known: ${Object.keys(checks).join(', ')})`;
      }
      const settingProblem = setting === undefined ? undefined : checks[name]?.(setting);
      if (settingProblem !== undefined) return `${name}: ${settingProblem}`;
    }
    return undefined;
  };
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
  const remedy = 'See docs/options.md';
  const problem = anObject(options);
  if (problem !== undefined)
    throw new SagaboxError('Configuration', { setting: `the options of ${of}`, problem, remedy });
  for (const [name, value] of Object.entries(options as object)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : () => 'there is no such option';
    const problem = value === undefined ? undefined : check?.(value);
    if (problem !== undefined)
      throw new SagaboxError('Configuration', { setting: `${of}: ${name}`, problem, remedy });
  }
}

function anObject(value: unknown): string | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? undefined : `${valueText(value)} is no object`;
}

function kind(name: string, is: (value: unknown) => boolean): OptionCheck {
  return (value) => (is(value) ? undefined : `${valueText(value)} is not ${name}`);
}

function missing(what: string, names: readonly string[]): string | undefined {
  return names.length === 0
    ? undefined
    : `it lacks the ${what} ${names.map((name) => `'${name}'`).join(', ')}`;
}
