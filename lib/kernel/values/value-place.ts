import { cutToBytes } from '../errors/cut-to-bytes.ts';

/** Where an object or array stands in a user's value: for the path in an error, and to notice cycles. */
export interface ValuePlace {
  readonly value: object;
  /** The name of the property or the index of the element; of the whole value, what it is called. */
  readonly name: string | number;
  readonly parent: ValuePlace | undefined;
  readonly depth: number;
}

/** A name may have 64 KB, and a path 500 names. */
const MAX_NAME_BYTES = 64;
const MAX_PATH = 500;

export function placeOf(value: object, name: string | number, parent: ValuePlace | undefined): ValuePlace {
  return { value, name, parent, depth: (parent?.depth ?? 0) + 1 };
}

/** The path of a part, as JavaScript writes it: `state.lines[3].placedAt`. Of a long one, the end. */
export function pathTo(name: string | number, parent: ValuePlace | undefined): string {
  const steps = [stepTo(name, parent)];
  for (let place = parent; place !== undefined; place = place.parent) {
    steps.push(stepTo(place.name, place.parent));
  }
  const path = steps.reverse().join('');
  return path.length > MAX_PATH ? `…${path.slice(-MAX_PATH)}` : path;
}

export function isWithinItself(value: object, parent: ValuePlace | undefined): boolean {
  for (let place = parent; place !== undefined; place = place.parent) {
    if (place.value === value) return true;
  }
  return false;
}

function stepTo(name: string | number, parent: ValuePlace | undefined): string {
  if (typeof name === 'number') return `[${name}]`;
  if (parent === undefined) return name;
  return /^[A-Za-z_$][\w$]{0,63}$/.test(name)
    ? `.${name}`
    : `[${JSON.stringify(cutToBytes(name, MAX_NAME_BYTES))}]`;
}
