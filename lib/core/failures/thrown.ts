/**
 * What a thrown value says, as a text. Anything can be thrown: also what has no text, or throws when it is
 * asked for one.
 */
export function thrownText(thrown: unknown): string {
  return partText(() => (isError(thrown) ? thrown.message : thrown));
}

/** `instanceof` for what anybody may have thrown: users' code, their ports, and what runs either. */
export function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

/** A part of it, as a text. */
export function partText(part: () => unknown): string {
  try {
    return String(part());
  } catch {
    return 'a value without a text';
  }
}

/** A value of a user's own, for a sentence: a text in quotes, an object as JSON where it has one. */
export function valueText(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  try {
    return JSON.stringify(value) ?? `a value of type ${typeof value}`;
  } catch {
    return `a value of type ${typeof value}`;
  }
}
