import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** 3 bytes for a list or map, and 1 for each of its elements, whatever they hold. */
const CONTAINER_BYTES = 3;
const ELEMENT_BYTES = 1;

/**
 * Bytes of an item by DynamoDB's rules: the names and values of its attributes.
 * Source: "DynamoDB item sizes and formats" in the Amazon DynamoDB Developer Guide.
 *
 * @example
 * ```ts
 * import { itemSize } from 'sagabox';
 *
 * const bytes = itemSize({ PK: { S: 'SAGA#OrderSaga#42' }, version: { N: '3' } });
 * ```
 */
export function itemSize(item: Record<string, AttributeValue>): number {
  let bytes = 0;
  for (const name of Object.keys(item)) bytes += utf8Bytes(name) + valueSize(item[name] as AttributeValue);
  return bytes;
}

export function utf8Bytes(value: string): number {
  return Buffer.byteLength(value, 'utf8');
}

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return utf8Bytes(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return value.B.byteLength;
  if (value.SS !== undefined) return sum(value.SS, utf8Bytes);
  if (value.NS !== undefined) return sum(value.NS, numberSize);
  if (value.BS !== undefined) return sum(value.BS, (bytes) => bytes.byteLength);
  if (value.L !== undefined) {
    return CONTAINER_BYTES + sum(value.L, (element) => ELEMENT_BYTES + valueSize(element));
  }
  if (value.M !== undefined) {
    return CONTAINER_BYTES + ELEMENT_BYTES * Object.keys(value.M).length + itemSize(value.M);
  }
  return 1; // BOOL and NULL
}

/** A byte for two digits, paired from the decimal point, one more, and one for a minus sign; zero is 1. */
export function numberSize(decimal: string): number {
  if (decimal.length === 1) return decimal === '0' ? 1 : 2;
  const unsigned = /^[+-]/.test(decimal) ? decimal.slice(1) : decimal;
  const exponentAt = unsigned.search(/e/i);
  const mantissa = exponentAt === -1 ? unsigned : unsigned.slice(0, exponentAt);
  const exponent = exponentAt === -1 ? 0 : Number(unsigned.slice(exponentAt + 1));
  const pointAt = mantissa.indexOf('.');
  const wholeDigits = pointAt === -1 ? mantissa.length : pointAt;
  const digits = pointAt === -1 ? mantissa : mantissa.replace('.', '');
  const behindZeros = digits.replace(/^0+/, '');
  if (behindZeros === '') return 1;
  const pointPosition = wholeDigits + exponent - (digits.length - behindZeros.length);
  // Without the lookbehind, each zero of a number full of them would begin another search for the end.
  const significant = behindZeros.replace(/(?<!0)0+$/, '');
  const unpairedDigits = significant.length + Math.abs(pointPosition % 2);
  return Math.ceil(unpairedDigits / 2) + 1 + (decimal.startsWith('-') ? 1 : 0);
}

function sum<T>(values: readonly T[], size: (value: T) => number): number {
  return values.reduce((total, value) => total + size(value), 0);
}
