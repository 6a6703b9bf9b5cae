import * as types from 'node:util/types';
import { thrownMessage } from '../kernel/errors/thrown.ts';
import { isRoundedInteger, ROUNDING } from '../kernel/values/rounded-integer.ts';
import { isBinary, isPlainObject, kindOf } from '../kernel/values/value-kind.ts';
import { isWithinItself, pathTo, placeOf, type ValuePlace } from '../kernel/values/value-place.ts';
import type { Refuse } from '../messages/contracts/refusal.ts';

/** The deepest body. JSON is written recursively: a committed body must not be too deep for its dispatch. */
const DEEPEST_BODY = 500;

/**
 * Returns a body as JSON; `undefined` for one that is undefined. Objects with a `toJSON`, a Date too, become
 * what that returns.
 *
 * @param refuse called for a value that JSON would change or leave out silently
 * @param whole the name of the value
 */
export function bodyJson(body: unknown, refuse: Refuse, whole = 'body'): string | undefined {
  let problem: string | undefined;
  const found = (detail: string) => {
    problem = detail;
    return new Error(detail);
  };
  try {
    return JSON.stringify(body, checkedParts(whole, found));
  } catch (error) {
    return problem === undefined
      ? refuse(`its ${whole} is not JSON (${thrownMessage(error)})`, error)
      : refuse(problem);
  }
}

/** A replacer that replaces nothing. JSON.stringify calls it for an object right before its parts. */
function checkedParts(whole: string, found: (detail: string) => Error) {
  const places = new Map<unknown, ValuePlace>();
  return function (this: object, key: string, value: unknown): unknown {
    const parent = places.get(this);
    const name = parent === undefined ? whole : Array.isArray(this) ? Number(key) : key;
    const problem = problemOf(value, this, key);
    if (problem !== undefined) throw found(`${pathTo(name, parent)} is ${problem}`);
    if (typeof value !== 'object' || value === null) return value;
    if (isWithinItself(value, parent)) {
      throw found(`${pathTo(name, parent)} is an object that contains it: send its id in its place`);
    }
    const place = placeOf(value, name, parent);
    if (place.depth > DEEPEST_BODY) {
      throw found(`its ${whole} is nested over ${DEEPEST_BODY} levels deep: make it flatter`);
    }
    places.set(value, place);
    return value;
  };
}

/** Returns the problem and remedy of a value that JSON would change; `undefined` for one that it keeps. */
function problemOf(value: unknown, holder: object, key: string): string | undefined {
  switch (typeof value) {
    case 'number':
      return numberProblem(value);
    case 'bigint':
      return 'a bigint, which JSON does not have: send a string';
    case 'function':
      return 'a function: send data';
    case 'symbol':
      return 'a symbol: send a string';
    case 'undefined':
      return Array.isArray(holder) ? 'undefined, which JSON turns into null: send null' : undefined;
    case 'object':
      return objectProblem(value, (holder as Record<string, unknown>)[key]);
    default:
      return undefined;
  }
}

/** Returns the problem of a number. The sender of a rounded one meant another than receivers would get. */
function numberProblem(value: number): string | undefined {
  if (!Number.isFinite(value)) return `${value}, which JSON turns into null: send null, or a string`;
  if (Object.is(value, -0)) return '-0, which JSON turns into 0: add 0 to it (value + 0)';
  return isRoundedInteger(value) ? `${value}, ${ROUNDING}: send a string` : undefined;
}

/** @param given the value before its `toJSON`, if it has one */
function objectProblem(value: object | null, given: unknown): string | undefined {
  if (types.isDate(given) && value === null) return 'an invalid Date: send a valid one, or null';
  if (value === null) return undefined;
  if (types.isBoxedPrimitive(value)) return problemOf(value.valueOf(), {}, '');
  // A Buffer has a `toJSON`, whose result no receiver expects.
  if (isBinary(value) || types.isUint8Array(given)) {
    return `${kindOf(given)}: send a base64 string (Buffer.from(bytes).toString('base64'))`;
  }
  if (types.isMap(value))
    return `${kindOf(value)}: send a plain object (Object.fromEntries(map)) or an array ([...map])`;
  if (types.isSet(value)) return `${kindOf(value)}: send an array ([...set])`;
  if (types.isPromise(value)) return `${kindOf(value)}: await it`;
  if (types.isNativeError(value)) return `${kindOf(value)}: send its message`;
  if (Array.isArray(value)) {
    return Object.keys(value).length > value.length
      ? 'an array with properties of its own: send its elements alone ([...array])'
      : undefined;
  }
  if (Object.getOwnPropertySymbols(value).length > 0)
    return `${kindOf(value)} with a symbol for a name, which JSON leaves out: use a string`;
  const isSeen =
    Object.getPrototypeOf(value) === null || isPlainObject(value) || Object.keys(value).length > 0;
  return isSeen
    ? undefined
    : `${kindOf(value)} without properties that JSON sees: send a plain object, or give it a toJSON`;
}
