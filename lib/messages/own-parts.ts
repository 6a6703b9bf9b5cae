import { isPlainArray, isPlainObject } from '../kernel/values/value-kind.ts';

/** No default of a schema stands deeper. */
const MAX_DEPTH = 100;

/**
 * What a schema returned, in objects and arrays of its own: those of a default are the same at each validation, and
 * what a handler changed in one message would be in the next one. All else, such as a `Date`, stays as it is.
 */
export function ownParts(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (isPlainArray(value))
    return asFrozenAs(
      value,
      value.map((part) => ownParts(part, depth + 1)),
    );
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) copy[name] = ownParts(copy[name], depth + 1);
  return asFrozenAs(value, copy);
}

function asFrozenAs<T extends object>(value: object, copy: T): T {
  return Object.isFrozen(value) ? Object.freeze(copy) : copy;
}
