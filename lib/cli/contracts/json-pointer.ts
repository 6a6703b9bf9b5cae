/**
 * A reference from the root of its document. Source: RFC 6901, JavaScript Object Notation (JSON) Pointer, as the
 * fragment of a URI.
 */
export function reference(...path: readonly string[]): string {
  const escaped = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `#/${escaped.join('/')}`;
}

/** The path of a reference within its document; undefined for one that is no pointer. */
export function pathOf(reference: string): readonly string[] | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  return reference
    .split('/')
    .slice(1)
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A library of schemas has left the name as it is, such as '100%'.
    return part;
  }
}
