import * as types from 'node:util/types';
import { isBinary, kindOf } from '../../kernel/values/value-kind.ts';

/** What an object is that no state can hold, and what to store in its place. */
export function objectProblem(value: object): string {
  return `${kindOf(value)}: ${remedyFor(value)}`;
}

function remedyFor(value: object): string {
  if (Object.getPrototypeOf(value) === null) return 'copy it to a plain object ({ ...object })';
  if (types.isDate(value)) return 'store an ISO 8601 string';
  if (types.isMap(value)) return 'store a plain object (Object.fromEntries(map)) or an array ([...map])';
  if (types.isSet(value)) return 'store a plain Set';
  if (types.isUint8Array(value)) return 'store a plain Uint8Array (Uint8Array.from(bytes))';
  if (isBinary(value)) return 'store a Uint8Array of its bytes, or an array of its numbers';
  if (types.isBoxedPrimitive(value)) return 'store the plain value (valueOf())';
  if (types.isPromise(value)) return 'await it';
  if (types.isNativeError(value)) return 'store its message';
  if (Array.isArray(value)) return 'store a plain array ([...array])';
  return 'store a plain object, or pass a mapper';
}
