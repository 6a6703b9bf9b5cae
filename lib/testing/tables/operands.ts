import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { attributeAt, documentPath } from './document-path.ts';
import { Refused } from './expression-tokens.ts';
import { type Item, ownProperty, type Placeholders } from './item.ts';

/** A value, or the attribute at a path. */
export function operandOf(
  operand: string,
  item: Item | undefined,
  placeholders: Placeholders,
): AttributeValue | undefined {
  return operand.startsWith(':')
    ? placeholderValue(operand, placeholders)
    : attributeAt(documentPath(operand, placeholders), item);
}

export function placeholderValue(name: string, { values }: Placeholders): AttributeValue {
  const value = ownProperty(values, name);
  if (value === undefined) throw new Refused(`'${name}' is not in ExpressionAttributeValues`);
  return value;
}
