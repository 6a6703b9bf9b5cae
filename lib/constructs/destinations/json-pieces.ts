/** A JSON value without its end, if it is an object or an array, with the comma and the name before it; or such an end. */
const piece = /,?(?:"(?:[^"\\]|\\.)*":)?(?:"(?:[^"\\]|\\.)*"|[[{]|[^",:[\]{}]+)|[\]}]/g;

/**
 * The pieces that JSON without white space consists of, each as small as one property. Tokens in strings stay whole;
 * what they stand for must need no escape, as names, ARNs and URLs.
 */
export function jsonPieces(json: string): readonly string[] {
  return json.match(piece) ?? [];
}
