import { isJsonObject } from '../../kernel/values/value-kind.ts';

/** The values of each name, in their order. In which order the names stand makes no other request. */
export type QueryParameters = Readonly<Record<string, readonly unknown[]>>;

/** Of a query string: `+` and `%20` are both a space. @returns undefined for one without parameters */
export function queryOfString(query: string): QueryParameters | undefined {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return collected(
    pairs.map((pair) => {
      const end = pair.indexOf('=');
      return end < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, end)), decoded(pair.slice(end + 1))];
    }),
  );
}

/**
 * Of parameters by their names, each with a value or a list of values.
 *
 * @param isEncoded whether names and values are as the client wrote them
 * @returns undefined for none
 */
export function queryOf(parameters: unknown, isEncoded = false): QueryParameters | undefined {
  if (!isJsonObject(parameters)) return undefined;
  const read = (part: unknown) => (isEncoded && typeof part === 'string' ? decoded(part) : part);
  return collected(
    Object.entries(parameters).flatMap(([name, values]) =>
      [values].flat().map((value): [string, unknown] => [String(read(name)), read(value)]),
    ),
  );
}

function collected(pairs: readonly (readonly [string, unknown])[]): QueryParameters | undefined {
  if (pairs.length === 0) return undefined;
  const lists = new Map<string, unknown[]>();
  for (const [name, value] of pairs) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries(lists);
}

/** What cannot be decoded stays as it is, so that two that differ stay two. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    // Such as '%' alone, or bytes that are no UTF-8.
    return part;
  }
}
