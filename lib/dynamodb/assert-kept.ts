import { types } from 'node:util';

/** Refuses what the marshaller takes, but would give back as something else, or not at all. */
export function assertKept(value: unknown, path: string): void {
  const refuse = (problem: string) => {
    throw new Error(`${path} ${problem}`);
  };
  if (typeof value === 'function') refuse('is a function');
  if (typeof value !== 'object' || value === null) return;
  if (types.isMap(value)) refuse('is a Map');
  if (types.isAnyArrayBuffer(value) || (ArrayBuffer.isView(value) && !types.isUint8Array(value))) {
    refuse('is bytes, but no Uint8Array');
  }
  if (ArrayBuffer.isView(value)) return;
  if (types.isSet(value)) {
    if (new Set([...value].map((element) => typeof element)).size > 1) refuse('is a set of different types');
    return;
  }
  if (Array.isArray(value)) {
    // Not forEach: that skips the holes.
    for (const [index, element] of value.entries()) {
      if (element === undefined) refuse(`has undefined at ${index}, which would move the elements behind it`);
      assertKept(element, `${path}[${index}]`);
    }
    return;
  }
  if (Object.hasOwn(value, '__proto__')) refuse("has a property named '__proto__'");
  for (const [name, property] of Object.entries(value)) assertKept(property, `${path}.${name}`);
}
