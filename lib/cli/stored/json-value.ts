/**
 * A state as JSON for people and programs: big integers as strings, sets as arrays, bytes as base64. Not for
 * the way back.
 */
export function stateJson(state: unknown, indent?: number): string {
  return JSON.stringify(state, replaced, indent);
}

/** As {@link stateJson}, for a larger object. */
export function jsonValue(state: unknown): unknown {
  return JSON.parse(stateJson(state));
}

function replaced(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
}
