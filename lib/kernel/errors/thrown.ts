import { isNativeError } from 'node:util/types';
import { maskSecrets, withoutSecrets } from './secrets.ts';

/**
 * What a thrown value says, without secrets: an error its message, an object its form as JSON unless it has a string
 * form of its own. Anything can be thrown: also what throws when it is asked for a string.
 */
export function thrownMessage(thrown: unknown): string {
  if (isError(thrown)) return withoutSecrets(messageOf(thrown));
  return hasOwnForm(thrown) ? withoutSecrets(stringOf(() => thrown)) : describeValue(thrown);
}

/** Without one of its own, as of a connection that several addresses refuse, an error says what its errors say. */
function messageOf(error: Error & { readonly errors?: unknown }): string {
  const message = stringOf(() => error.message);
  if (message !== '') return message;
  return stringOf(() => (Array.isArray(error.errors) ? error.errors.map(messageOfOne).join('; ') : ''));
}

function messageOfOne(thrown: unknown): string {
  return isError(thrown) ? thrown.message : describeValue(thrown);
}

/** Whether its string form says more than what kind of value it is. */
function hasOwnForm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  try {
    if (Array.isArray(value) || Object.getPrototypeOf(value) === null) return false;
  } catch {
    // A proxy's: its string form is asked for below, where it may throw.
  }
  return !/^\[object [^\]]*\]$/.test(stringOf(() => value));
}

/** An error of any realm, for what anybody may have thrown: users' code, their ports, and what runs either. */
export function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error || isNativeError(thrown);
  } catch {
    // A proxy may throw anything when it is asked.
    return false;
  }
}

/** @param read may throw */
export function stringOf(read: () => unknown): string {
  try {
    return String(read());
  } catch {
    // What tells of a failure must not fail itself.
    return 'a value without a string form';
  }
}

/** The own properties of an object; in place of one that throws when it is read, what it throws. */
export function readableEntries(value: object): [string, unknown][] {
  return Object.keys(value).map((name) => {
    try {
      return [name, (value as Record<string, unknown>)[name]];
    } catch (error) {
      return [name, `[${stringOf(() => error)}]`];
    }
  });
}

/** A user's value, for a sentence, without secrets: a string in quotes, an object as JSON where it has one. */
export function describeValue(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  try {
    return JSON.stringify(value, maskSecrets) ?? `a value of type ${typeof value}`;
  } catch {
    // A circle, a bigint, or a getter of the user's that throws.
    return describeOdd(value);
  }
}

/** What can be told of a value that is no JSON. */
function describeOdd(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `a value of type ${typeof value}`;
  const seen = new WeakSet<object>();
  const replace = function (this: unknown, name: string, given: unknown): unknown {
    const part = maskSecrets.call(this, name, given);
    if (typeof part === 'bigint') return String(part);
    if (typeof part !== 'object' || part === null) return part;
    if (seen.has(part)) return '[Circular]';
    seen.add(part);
    return Array.isArray(part) ? part : Object.fromEntries(readableEntries(part));
  };
  try {
    return JSON.stringify(value, replace);
  } catch {
    // A proxy's, or what throws in its toJSON.
    return `a value of type ${typeof value}`;
  }
}
