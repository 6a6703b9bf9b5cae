import { types } from 'node:util';

/** Whether one is a copy of the other. Without recursion: values may be nested too deep for any. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const compared = new Set<unknown>();
  const pairs: [unknown, unknown][] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right) || compared.has(left)) continue;
    if (!isObject(left) || !isObject(right)) return false;
    compared.add(left);
    const [parts, others] = [partsOf(left), partsOf(right)];
    if (parts.length !== others.length) return false;
    for (const [index, part] of parts.entries()) pairs.push([part, others[index]]);
  }
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Objects of another realm, as a structured clone has them in jest, are no instances of ours. */
function partsOf(value: object): unknown[] {
  const kind = Object.prototype.toString.call(value);
  const properties = Object.entries(value).flat();
  if (types.isDate(value)) return [kind, value.getTime()];
  if (types.isMap(value) || types.isSet(value)) return [kind, ...value, ...properties];
  if (Array.isArray(value)) return [kind, value.length, ...properties];
  return [kind, ...properties];
}
