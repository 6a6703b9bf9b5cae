import { isPlainArray, isPlainObject } from '../checks/value-kind.ts';

/** No default of a schema stands deeper. */
const MAX_DEPTH = 100;

/**
 * What a schema returned, in objects and arrays of its own: those of a default are the same at each validation, and
 * what a handler changed in one message would be in the next one. All else, such as a `Date`, stays as it is.
 */
export function ownParts(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  const own = (part: unknown) => ownParts(part, depth + 1);
  if (isPlainArray(value)) return asFrozenAs(value, value.map(own));
  if (!isPlainObject(value)) return value;
  return asFrozenAs(
    value,
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, own(part)])),
  );
}

function asFrozenAs<T extends object>(value: object, copy: T): T {
  return Object.isFrozen(value) ? Object.freeze(copy) : copy;
}
