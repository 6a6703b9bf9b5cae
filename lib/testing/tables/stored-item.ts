import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { itemSize } from '../../dynamodb/item-size.ts';
import { limits } from '../../kernel/limits.ts';
import { isNestedDeeper } from '../../sending/nesting.ts';
import { elementsOf, isEqual, setOf } from './compare.ts';
import { decimalOf, decimalText } from './decimal.ts';
import { Refused } from './expression-tokens.ts';
import { type Item, typeOf } from './item.ts';

/** Of an item, each within the object that tells its type, and a set in the last one. */
const MAX_LEVELS = 2 * (limits.nestedLevels + 1) + 1;

/**
 * A copy of an item as DynamoDB keeps it: numbers in one form.
 *
 * @throws Refused for what DynamoDB does not keep
 */
export function storedItem(item: Item): Item {
  const stored = storedMap(item);
  const bytes = itemSize(stored);
  if (bytes > limits.itemBytes) throw new Refused(`the item has ${bytes} bytes, over ${limits.itemBytes}`);
  if (isNestedDeeper(stored, MAX_LEVELS)) throw new Refused('the item is nested over 32 levels deep');
  return stored;
}

function storedMap(map: Item): Item {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, storedValue(name, value)]));
}

function storedValue(name: string, value: AttributeValue): AttributeValue {
  const types = Object.values(Object(value)).filter((each) => each !== undefined);
  if (types.length !== 1) throw new Refused(`'${name}' is no value of one type`);
  if (value.N !== undefined) return { N: decimalText(decimalOf(value.N)) };
  if (value.M !== undefined) return { M: { ...storedMap(value.M) } };
  if (value.L !== undefined) return { L: value.L.map((element) => storedValue(name, element)) };
  const elements = elementsOf(value)?.map((element) => storedValue(name, element));
  if (elements === undefined) return structuredClone(value);
  if (elements.length === 0) throw new Refused(`the set '${name}' is empty`);
  const isTwice = (element: AttributeValue, at: number) =>
    elements.slice(0, at).some((each) => isEqual(each, element));
  if (elements.some(isTwice)) throw new Refused(`the set '${name}' has an element twice`);
  return setOf(typeOf(value), elements);
}
