/** What a thrown value says. Anything can be thrown: also what throws when it is asked for a string. */
export function thrownMessage(thrown: unknown): string {
  return stringOf(() => (isError(thrown) ? thrown.message : thrown));
}

/** `instanceof` for what anybody may have thrown: users' code, their ports, and what runs either. */
export function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error;
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

/** A user's value, for a sentence: a string in quotes, an object as JSON where it has one. */
export function describeValue(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  try {
    return JSON.stringify(value) ?? `a value of type ${typeof value}`;
  } catch {
    // A circle, a bigint, or a getter of the user's that throws.
    return `a value of type ${typeof value}`;
  }
}
