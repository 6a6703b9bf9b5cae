import { isJsonObject } from '../../kernel/values/value-kind.ts';

/** Whether two requests say the same: the order of properties and of sets, and undefined properties, do not count. */
export function isSameRequest(one: unknown, other: unknown): boolean {
  return contentOf(one) === contentOf(other);
}

/** Also of what only a mapper of the user's can store, such as a `Date`. */
function contentOf(request: unknown): string {
  return JSON.stringify(request, (_name, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    if (value instanceof Map || value instanceof Set) return [...value].map(contentOf).toSorted();
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([name], [next]) => (name < next ? -1 : 1)));
  });
}
