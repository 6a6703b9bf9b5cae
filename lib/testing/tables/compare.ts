import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { decimalOf, decimalOrder } from './decimal.ts';
import { typeOf } from './item.ts';

/** Below, at or over 0; undefined for values of which none comes before the other. */
export function orderOf(one: AttributeValue, other: AttributeValue): number | undefined {
  if (one.N !== undefined && other.N !== undefined) return decimalOrder(decimalOf(one.N), decimalOf(other.N));
  // DynamoDB compares strings by their bytes in UTF-8.
  if (one.S !== undefined && other.S !== undefined)
    return Buffer.compare(Buffer.from(one.S), Buffer.from(other.S));
  if (one.B !== undefined && other.B !== undefined) return Buffer.compare(one.B, other.B);
  return undefined;
}

export function isEqual(one: AttributeValue, other: AttributeValue): boolean {
  if (typeOf(one) !== typeOf(other)) return false;
  if (one.BOOL !== undefined) return one.BOOL === other.BOOL;
  if (one.NULL !== undefined) return true;
  if (one.L !== undefined && other.L !== undefined)
    return (
      one.L.length === other.L.length && one.L.every((each, index) => isEqualIfThere(each, other.L?.[index]))
    );
  if (one.M !== undefined && other.M !== undefined) {
    const names = Object.keys(one.M);
    const { M: map } = other;
    const isSame = (name: string) => Object.hasOwn(map, name) && isEqualIfThere(one.M?.[name], map[name]);
    return names.length === Object.keys(map).length && names.every(isSame);
  }
  const [elements, others] = [elementsOf(one), elementsOf(other)];
  if (elements && others)
    return elements.length === others.length && elements.every((each) => hasElement(others, each));
  return orderOf(one, other) === 0;
}

function isEqualIfThere(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  return one !== undefined && other !== undefined && isEqual(one, other);
}

export function hasElement(elements: readonly AttributeValue[], element: AttributeValue): boolean {
  return elements.some((each) => isEqual(each, element));
}

/** Of a set; undefined for what is none. */
export function elementsOf({ SS, NS, BS }: AttributeValue): AttributeValue[] | undefined {
  return SS?.map((S) => ({ S })) ?? NS?.map((N) => ({ N })) ?? BS?.map((B) => ({ B }));
}

/** Of elements of one type. */
export function setOf(type: string, elements: readonly AttributeValue[]): AttributeValue {
  const [element = ''] = type;
  return { [type]: elements.map((each) => (each as unknown as Record<string, unknown>)[element]) } as never;
}
