import * as v from 'valibot';
import type { Problem } from './problems.ts';

type Field = v.GenericSchema;

/** Any value. */
export const present = v.custom((value) => value !== undefined);
export const boolean = v.boolean(mustBe('true or false'));
export const string = v.pipe(v.string(mustBe('a string')), v.nonEmpty(mustBe('a string that is not empty')));

export function oneOf(choices: readonly string[]) {
  return v.picklist(choices, mustBe(`one of ${choices.map((choice) => `'${choice}'`).join(', ')}`));
}

/** @param minText the minimum as people write it, if it has many digits */
export function number(min: number, max: number, minText = `${min}`) {
  const message = mustBe(`a number from ${minText} to ${max}`);
  return v.pipe(v.number(message), v.minValue(min, message), v.maxValue(max, message));
}

export function wholeNumber(min: number, max: number) {
  const message = mustBe(`a whole number from ${min} to ${max}`);
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

export function positiveNumber(max: number) {
  const message = mustBe(`a number above 0, up to ${max}`);
  return v.pipe(v.number(message), v.gtValue(0, message), v.maxValue(max, message));
}

export function numberBelow(max: number) {
  const message = mustBe(`a number from 0 to below ${max}`);
  return v.pipe(v.number(message), v.minValue(0, message), v.ltValue(max, message));
}

/** An object with these properties and no other. A property that is undefined counts as absent. */
export function object(fields: Readonly<Record<string, Field>>, required: readonly string[] = []) {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    required.includes(name) ? field : v.optional(field),
  ]);
  const unknown = v.optional(v.never(`is not known (known: ${Object.keys(fields).join(', ')})`));
  const message = mustBe('an object');
  return v.pipe(
    v.custom<object>(isObject, message),
    v.objectWithRest(Object.fromEntries(entries) as Record<string, Field>, unknown, message),
  );
}

/** Every problem of a value, each with its path. */
export function problemsOf(schema: Field, value: unknown, at = ''): Problem[] {
  const { issues = [] } = v.safeParse(schema, value, { abortPipeEarly: true });
  return issues.map(({ input, message, path }) => ({
    path: [at, ...(path ?? []).map(({ key }) => String(key))].filter(Boolean).join('.'),
    problem: input === undefined && path ? 'is missing' : message,
  }));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mustBe(wanted: string) {
  return ({ input }: { readonly input: unknown }) => `must be ${wanted}, not ${described(input)}`;
}

function described(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
