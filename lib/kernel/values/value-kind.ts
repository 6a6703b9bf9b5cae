import * as types from 'node:util/types';
import { stringOf } from '../errors/thrown.ts';

/** What JSON writes between braces. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object literal or what is made like one, of any realm; an object without a prototype is none. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && isObjectPrototype(prototype as object);
}

/** What braces make, with a prototype or without: all that it holds is its own. */
export function isLiteral(value: object): boolean {
  return Object.getPrototypeOf(value) === null || isPlainObject(value);
}

/** An array, and no instance of a class that extends it: the prototype of arrays is an array itself. */
export function isPlainArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && Array.isArray(Object.getPrototypeOf(value));
}

/** A set, and no instance of a class that extends it. */
export function isPlainSet(value: object): value is Set<unknown> {
  return types.isSet(value) && isObjectPrototype(Object.getPrototypeOf(Object.getPrototypeOf(value)));
}

/** A Uint8Array, and no Buffer. */
export function isPlainBytes(value: object): value is Uint8Array {
  return types.isUint8Array(value) && Object.hasOwn(Object.getPrototypeOf(value), 'BYTES_PER_ELEMENT');
}

/** Bytes or numbers in a buffer, or a buffer itself. */
export function isBinary(value: object): boolean {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

/** What a value is, for a sentence: "a Date", "an instance of the class 'Money'". */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Object.getPrototypeOf(value) === null) return 'an object without a prototype';
  const name = stringOf(() => value.constructor.name);
  if (isPlainArray(value)) return 'an array';
  const isBuiltIn =
    Array.isArray(value) ||
    isBinary(value) ||
    types.isBoxedPrimitive(value) ||
    types.isDate(value) ||
    types.isMap(value) ||
    types.isSet(value) ||
    types.isPromise(value) ||
    types.isRegExp(value) ||
    types.isNativeError(value);
  return isBuiltIn ? `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}` : `an instance of the class '${name}'`;
}

function isObjectPrototype(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}
