import { isUint8Array } from 'node:util/types';
import { isJsonObject, isLiteral, kindOf } from '../kernel/values/value-kind.ts';
import { pathTo, placeOf, type ValuePlace } from '../kernel/values/value-place.ts';

/**
 * What DynamoDB takes. Sources: "Supported data types and naming rules in Amazon DynamoDB", "AttributeValue" in the
 * Amazon DynamoDB API Reference.
 */
const MAX_LEVELS = 32;
const MAX_DIGITS = 38;
const MIN_EXPONENT = -130;
const MAX_EXPONENT = 125;
/** Far more than the digits of any number, so that a long string costs nothing to read. */
const MAX_NUMBER_LENGTH = 300;

type Name = string | number;
type Problem = string | undefined;
type Check = (value: unknown, name: Name, parent: ValuePlace) => Problem;

const checks: Readonly<Record<string, Check>> = {
  S: expecting('a string', (value) => typeof value === 'string' && value.isWellFormed()),
  N: numberProblem,
  B: expecting('a Uint8Array', isUint8Array),
  SS: setOf((value) => typeof value === 'string' && value.isWellFormed(), 'strings'),
  NS: setOf((value) => typeof value === 'string' && isNumber(value), 'numbers as strings'),
  BS: setOf(isUint8Array, 'Uint8Arrays'),
  M: mapProblem,
  L: listProblem,
  BOOL: expecting('true or false', (value) => typeof value === 'boolean'),
  NULL: expecting('true', (value) => value === true),
};

const types = Object.keys(checks);
const keyTypes: readonly string[] = ['S', 'N', 'B'];

/**
 * What is wrong with attributes by name, with the path and the remedy; undefined for what DynamoDB can read. What the
 * values say is not repeated: they may be anybody's data.
 *
 * @param name what they are called, such as `Item`
 */
export function attributesProblem(attributes: unknown, name: string): Problem {
  if (!isMap(attributes)) return `${name} is ${kindOf(attributes)}: give an object of attributes`;
  return eachProblem(Object.entries(attributes), placeOf(attributes, name, undefined));
}

/** The same for a key, whose values are strings, numbers or bytes, and not empty. */
export function keyProblem(key: unknown, name: string): Problem {
  const problem = attributesProblem(key, name);
  if (problem !== undefined) return problem;
  const place = placeOf(key as object, name, undefined);
  for (const [attribute, value] of Object.entries(key as object)) {
    const path = pathTo(attribute, place);
    for (const [type, content] of typesIn(value)) {
      if (!keyTypes.includes(type)) return `${path} has the type ${type}: a key has ${keyTypes.join(', ')}`;
      if (content.length === 0) return `${path}.${type} is empty, which no key can be`;
    }
  }
  return undefined;
}

function valueProblem(value: unknown, name: Name, parent: ValuePlace): Problem {
  const path = pathTo(name, parent);
  if (!isJsonObject(value)) return `${path} is ${kindOf(value)}, without a type: ${typedForm(value)}`;
  const given = typesIn(value);
  const [first] = given;
  if (first === undefined) {
    const known = types.join(', ');
    const what = isLiteral(value) ? 'an object' : kindOf(value);
    return `${path} is ${what} without a type of DynamoDB (${known}): ${typedForm(value)}`;
  }
  if (given.length > 1) return `${path} has the types ${given.map(([type]) => type).join(' and ')}: give one`;
  const place = placeOf(value, name, parent);
  // A value and its type are two steps; DynamoDB counts exactly.
  if (place.depth > 2 * (MAX_LEVELS + 1)) return `${path} is nested over ${MAX_LEVELS} levels deep`;
  const [type, content] = first;
  return checks[type]?.(content, type, place);
}

/** A `Map` or a `Set` has no attributes of its own, and would be taken for an empty object. */
function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && (isLiteral(value) || Object.keys(value).length > 0);
}

/** What is undefined is not sent. */
function typesIn(value: object): readonly (readonly [string, { length?: number }])[] {
  return Object.entries(value).filter(([type, content]) => content !== undefined && types.includes(type));
}

/** How a value is written that was given as JavaScript has it. */
function typedForm(value: unknown): string {
  if (value === undefined) return 'leave it out';
  if (value === null) return 'use { NULL: true }';
  if (typeof value === 'string') return 'use { S: … }';
  if (typeof value === 'number' || typeof value === 'bigint') return "use { N: '…' }";
  if (typeof value === 'boolean') return 'use { BOOL: … }';
  if (Array.isArray(value)) return 'use { L: […] }';
  return 'use { M: { … } }, or marshall of @aws-sdk/util-dynamodb';
}

function expecting(what: string, is: (value: unknown) => boolean): Check {
  return (value, name, parent) =>
    is(value) ? undefined : `${pathTo(name, parent)} is ${inWords(value)}, not ${what}`;
}

function numberProblem(value: unknown, name: Name, parent: ValuePlace): Problem {
  if (typeof value === 'string' && isNumber(value)) return undefined;
  const remedy =
    typeof value === 'string'
      ? `use decimal digits, ${MAX_DIGITS} at most`
      : "DynamoDB takes numbers as strings, as in { N: '5' }";
  return `${pathTo(name, parent)} is ${inWords(value)}, not a number in a string: ${remedy}`;
}

function setOf(is: (value: unknown) => boolean, what: string): Check {
  return (value, name, parent) => {
    const path = pathTo(name, parent);
    if (!Array.isArray(value)) return `${path} is ${kindOf(value)}, not an array of ${what}`;
    if (value.length === 0) return `${path} is empty: DynamoDB has no empty sets, so leave the attribute out`;
    // Not by every(), which skips holes.
    const wrong = value.findIndex((element) => !is(element));
    if (wrong !== -1) return `${path}[${wrong}] is ${inWords(value[wrong])}, in a set of ${what}`;
    const texts = value.map((element) =>
      typeof element === 'string' ? element : Buffer.from(element).toString('base64'),
    );
    return new Set(texts).size === texts.length ? undefined : `${path} has an element twice`;
  };
}

function mapProblem(value: unknown, name: Name, parent: ValuePlace): Problem {
  if (!isMap(value)) return `${pathTo(name, parent)} is ${kindOf(value)}, not an object of attributes`;
  return eachProblem(Object.entries(value), placeOf(value, name, parent));
}

function listProblem(value: unknown, name: Name, parent: ValuePlace): Problem {
  if (!Array.isArray(value)) return `${pathTo(name, parent)} is ${kindOf(value)}, not an array of attributes`;
  return eachProblem([...value.entries()], placeOf(value, name, parent));
}

function eachProblem(entries: readonly (readonly [Name, unknown])[], place: ValuePlace): Problem {
  for (const [name, value] of entries) {
    const problem = valueProblem(value, name, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function inWords(value: unknown): string {
  return typeof value === 'string' && !value.isWellFormed()
    ? 'a string with half a character'
    : kindOf(value);
}

function isNumber(value: string): boolean {
  if (value.length > MAX_NUMBER_LENGTH) return false;
  const [, whole = '', fraction = '', exponent = '0'] =
    /^[+-]?(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(value) ?? [];
  const digits = whole + fraction;
  if (digits === '') return false;
  const significant = digits.replace(/^0+|(?<!0)0+$/g, '');
  if (significant === '') return true;
  const leading = digits.length - digits.replace(/^0+/, '').length;
  const magnitude = whole.length - leading - 1 + Number(exponent);
  return significant.length <= MAX_DIGITS && magnitude >= MIN_EXPONENT && magnitude <= MAX_EXPONENT;
}
