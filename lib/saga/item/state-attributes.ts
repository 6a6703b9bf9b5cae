import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { utf8Bytes } from '../../dynamodb/item-size.ts';
import { limits } from '../../kernel/limits.ts';
import {
  isPlainArray,
  isPlainBytes,
  isPlainObject,
  isPlainSet,
  kindOf,
} from '../../kernel/values/value-kind.ts';
import { isWithinItself, pathTo, placeOf, type ValuePlace } from '../../kernel/values/value-place.ts';
import { numberOf, numberProblem } from './state-numbers.ts';
import { objectProblem } from './state-objects.ts';

type Attributes = Record<string, AttributeValue>;
type Name = string | number;

const WHOLE_STATE = 'state';

/**
 * Of a state's attributes, each within the object that tells its type, and a set in the last one.
 * Source: "Constraints in Amazon DynamoDB", on nested attributes.
 */
export const MAX_ATTRIBUTE_LEVELS = 2 * limits.nestedLevels + 1;

/**
 * A state as DynamoDB's types. It comes back deeply equal, but without properties that are undefined.
 *
 * @throws Error with path and remedy, for what would come back as something else, or not at all
 */
export function toStateAttributes(state: unknown): Attributes {
  const { M: attributes } =
    typeof state === 'object' ? attributeOf(state, WHOLE_STATE, undefined) : { M: undefined };
  if (attributes === undefined) throw new Error(`state is ${kindOf(state)}: use a plain object`);
  return attributes;
}

export function fromStateAttributes(attributes: Attributes): Record<string, unknown> {
  // Not by assignment: that would take the name '__proto__' for something else.
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, nativeOf(value)]));
}

function attributeOf(value: unknown, name: Name, parent: ValuePlace | undefined): AttributeValue {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw refusal(`is a string with ${HALF_CHARACTER}`, name, parent);
      return { S: value };
    case 'number':
    case 'bigint': {
      const problem = numberProblem(value);
      if (problem !== undefined) throw refusal(`is ${problem}`, name, parent);
      return { N: String(value) };
    }
    case 'boolean':
      return { BOOL: value };
    case 'object':
      return value === null ? { NULL: true } : objectAttribute(value, name, parent);
    case 'undefined':
      throw refusal('is undefined, which would move the elements behind it: use null', name, parent);
    case 'function':
      throw refusal('is a function: store data, and keep the code in the handler', name, parent);
    default:
      throw refusal('is a symbol: store a string', name, parent);
  }
}

function objectAttribute(value: object, name: Name, parent: ValuePlace | undefined): AttributeValue {
  if (isPlainBytes(value)) return { B: value.slice() };
  if (isPlainSet(value)) return setAttribute(value, name, parent);
  const isArray = isPlainArray(value);
  if (!isArray && !isPlainObject(value)) throw refusal(`is ${objectProblem(value)}`, name, parent);
  if (isWithinItself(value, parent)) {
    throw refusal('is an object that contains it: store its id in its place', name, parent);
  }
  const place = placeOf(value, name, parent);
  if (place.depth > limits.nestedLevels) {
    throw new Error(`state is nested over ${limits.nestedLevels} levels deep: make it flatter`);
  }
  assertNoSymbols(value, name, parent);
  return isArray ? { L: elements(value, place) } : { M: properties(value, place) };
}

function elements(list: readonly unknown[], place: ValuePlace): AttributeValue[] {
  // Not map: that skips the holes.
  const attributes = Array.from(list, (element, index) => attributeOf(element, index, place));
  if (Object.keys(list).length === list.length) return attributes;
  const problem = 'is an array with properties of its own: store its elements alone ([...array])';
  throw refusal(problem, place.name, place.parent);
}

function properties(object: object, place: ValuePlace): Attributes {
  const attributes: Attributes = {};
  for (const [name, property] of Object.entries(object)) {
    assertName(name, place);
    if (property !== undefined) attributes[name] = attributeOf(property, name, place);
  }
  return attributes;
}

function assertName(name: string, place: ValuePlace): void {
  if (name === '' || name === '__proto__') {
    const problem = name === '' ? 'with an empty name, which DynamoDB does not take' : PROTO_PROBLEM;
    throw refusal(`has a property ${problem}: rename it`, place.name, place.parent);
  }
  const bytes = utf8Bytes(name);
  if (bytes > limits.attributeNameBytes) {
    const limit = `over the ${limits.attributeNameBytes} of DynamoDB`;
    throw refusal(`is a name of ${bytes} bytes, ${limit}: make it a value`, name, place);
  }
  if (!name.isWellFormed()) throw refusal(`is a name with ${HALF_CHARACTER}`, name, place);
}

const PROTO_PROBLEM = "named '__proto__', which some versions of the AWS SDK lose";

function assertNoSymbols(value: object, name: Name, parent: ValuePlace | undefined): void {
  const symbols = Object.getOwnPropertySymbols(value);
  if (!symbols.some((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol))) return;
  throw refusal('has a property whose name is a symbol: use a string', name, parent);
}

function setAttribute(set: Set<unknown>, name: Name, parent: ValuePlace | undefined): AttributeValue {
  const kinds = new Set([...set].map(elementKind));
  const [kind] = kinds;
  if (set.size === 0) {
    const problem = 'is an empty Set, which DynamoDB does not take: delete the property, or use an array';
    throw refusal(problem, name, parent);
  }
  if (kind === undefined || kinds.size > 1) {
    const kept = 'strings alone, numbers alone or Uint8Arrays alone';
    throw refusal(`is a Set of something else than ${kept}: use an array`, name, parent);
  }
  assertNoSymbols(set, name, parent);
  const attributes = [...set].map((element) => attributeOf(element, name, parent));
  if (kind === 'string') return { SS: attributes.map(({ S = '' }) => S) };
  if (kind !== 'bytes') return { NS: attributes.map(({ N = '' }) => N) };
  const bytes = attributes.map(({ B = new Uint8Array() }) => B);
  if (new Set(bytes.map((each) => Buffer.from(each).toString('latin1'))).size < bytes.length) {
    throw refusal('is a Set with the same bytes twice: use an array', name, parent);
  }
  return { BS: bytes };
}

/** Numbers and big integers apart: they come back by their size. */
function elementKind(element: unknown): 'string' | 'number' | 'bigint' | 'bytes' | undefined {
  const kind = typeof element;
  if (kind === 'string' || kind === 'number' || kind === 'bigint') return kind;
  return typeof element === 'object' && element !== null && isPlainBytes(element) ? 'bytes' : undefined;
}

const HALF_CHARACTER =
  'half of a surrogate pair, which UTF-8 has no bytes for: ' +
  'use toWellFormed(), or do not cut strings within a character';

function refusal(problem: string, name: Name, parent: ValuePlace | undefined): Error {
  return new Error(`${pathTo(name, parent)} ${problem}`);
}

function nativeOf(attribute: AttributeValue): unknown {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return numberOf(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  if (attribute.M !== undefined) return fromStateAttributes(attribute.M);
  if (attribute.L !== undefined) return attribute.L.map(nativeOf);
  if (attribute.B !== undefined) return attribute.B;
  if (attribute.SS !== undefined) return new Set(attribute.SS);
  if (attribute.NS !== undefined) return new Set(attribute.NS.map(numberOf));
  if (attribute.BS !== undefined) return new Set(attribute.BS);
  throw new Error(`an attribute has the unknown type ${Object.keys(attribute).join(', ')}`);
}
