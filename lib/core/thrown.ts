/** What a thrown value says, as a text. Anything can be thrown: also what has no text, or throws when it is asked for one. */
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
