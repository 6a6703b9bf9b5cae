/**
 * The pieces that the JSON text of a value consists of, each as small as one property: joined they are what
 * `JSON.stringify` makes of it. Tokens in strings stay whole; what they stand for must need no escape, as
 * names, ARNs and URLs.
 */
export function jsonPieces(value: unknown): string[] {
  if (Array.isArray(value)) return enclosed('[', value.map(jsonPieces), ']');
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  const properties = Object.entries(value)
    .filter(([, property]) => property !== undefined)
    .map(([name, property]) => prefixed(`${JSON.stringify(name)}:`, jsonPieces(property)));
  return enclosed('{', properties, '}');
}

function enclosed(open: string, items: readonly string[][], close: string): string[] {
  return [open, ...items.flatMap((item, index) => (index === 0 ? item : prefixed(',', item))), close];
}

function prefixed(prefix: string, [first = '', ...rest]: readonly string[]): string[] {
  return [`${prefix}${first}`, ...rest];
}
