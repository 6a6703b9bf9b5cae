/** Returns an id of several parts. Each is escaped: no two lists of parts make the same id. */
export function compoundId(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll('#', '%23')).join('#');
}
