import { writtenNumber } from '../exact-json.ts';
import { isPlainArray, isPlainObject } from './value-kind.ts';
import { pathTo, placeOf, type ValuePlace } from './value-place.ts';

/** An integer beyond 2^53 - 1, which a JavaScript number may hold rounded: then others become the same one. */
export interface RoundedInteger {
  readonly path: string;
  /** As its sender wrote it, where that is known. */
  readonly written: string;
}

export const ROUNDING = 'beyond the integers that a JavaScript number holds exactly (2^53 - 1)';

export function isRoundedInteger(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** What is wrong with a key that is made of one, and the remedy. */
export function roundingProblem({ path, written }: RoundedInteger): string {
  return `made of ${path}, ${written}, which is ${ROUNDING}: have its sender write it as a string`;
}

/** What such an integer looks like in a key: a number becomes a string with an exponent from 1e21 on, up to 1e308. */
const integers = /\d(?:\.\d{1,16})?e\+\d{1,3}|\d{16,309}|Infinity/g;

/**
 * The integer of a body that a key was made of, as by `${body.orderId}`, if JavaScript may have rounded it. One whose
 * digits stand in a string of the body too is none: that string tells what its sender means.
 *
 * @param received the body of a message as it was received
 * @param validated as its schema made it
 */
export function roundedIntegerIn(
  key: string,
  received: unknown,
  validated: unknown = received,
): RoundedInteger | undefined {
  if (!mayBeRounded(key)) return undefined;
  const inKey = new Set(integersIn(key));
  const values = valuesOf(received);
  for (const { value } of values) {
    if (typeof value === 'string') for (const digits of integersIn(value)) inKey.delete(digits);
  }
  const found = [...values, ...valuesOf(validated)].find(
    ({ value }) => isRoundedInteger(value) && formsOf(value).some((form) => inKey.has(form)),
  );
  if (found === undefined) return undefined;
  const { holder, name, value, parent } = found;
  return { path: pathTo(name, parent), written: writtenNumber(holder, name, value) ?? String(value) };
}

/** Whether a key may be made of one at all: for what has to be read before that is known. */
export function mayBeRounded(key: string): boolean {
  return key.search(integers) !== -1;
}

function integersIn(text: string): string[] {
  return Array.from(text.matchAll(integers), ([digits]) => digits.replace(/^0+/, ''));
}

function formsOf(value: number): readonly string[] {
  const size = Math.abs(value);
  return Number.isFinite(size) ? [String(size), String(BigInt(size))] : [String(size)];
}

interface Value {
  readonly holder: object;
  readonly name: string | number;
  readonly parent: ValuePlace | undefined;
  readonly value: unknown;
}

/** The numbers and strings of a body, without recursion: it may be nested as deep as its size allows. */
function valuesOf(body: unknown): readonly Value[] {
  const found: Value[] = [];
  const seen = new Set<object>();
  const waiting: Value[] = [{ holder: {}, name: 'body', parent: undefined, value: body }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, parent, value } = next;
    if (typeof value === 'number' || typeof value === 'string') found.push(next);
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const isArray = isPlainArray(value);
    if (!isArray && !isPlainObject(value)) continue;
    const place = placeOf(value, name, parent);
    for (const [key, part] of Object.entries(value)) {
      waiting.push({ holder: value, name: isArray ? Number(key) : key, parent: place, value: part });
    }
  }
  return found;
}
