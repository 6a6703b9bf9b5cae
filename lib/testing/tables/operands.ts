import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { NotEvaluated } from './expression-tokens.ts';

export type Item = Readonly<Record<string, AttributeValue>>;

/** What an expression is read with. */
export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

/** The attribute at a path such as `a.#b[0]`; undefined if there is none. */
export function attributeAt(
  path: string,
  item: Item | undefined,
  placeholders: Placeholders,
): AttributeValue | undefined {
  let value: AttributeValue | undefined = item && { M: { ...item } };
  for (const step of stepsOf(path, placeholders)) {
    value = typeof step === 'number' ? value?.L?.[step] : value?.M && ownProperty(value.M, step);
  }
  return value;
}

/** Names and indexes of a path. */
export function stepsOf(path: string, { names }: Placeholders): (string | number)[] {
  return path.split('.').flatMap((part) => {
    const [, written = '', indexes = ''] = /^(#?\w+)((?:\[\d+\])*)$/.exec(part) ?? [];
    if (written === '') throw new NotEvaluated(`'${path}' is no path`);
    const name = written.startsWith('#') ? names[written] : written;
    if (name === undefined) throw new NotEvaluated(`'${written}' is not in ExpressionAttributeNames`);
    return [name, ...[...indexes.matchAll(/\d+/g)].map(([index]) => Number(index))];
  });
}

/** A value, or the attribute at a path. */
export function operandOf(
  operand: string,
  item: Item | undefined,
  placeholders: Placeholders,
): AttributeValue | undefined {
  if (!operand.startsWith(':')) return attributeAt(operand, item, placeholders);
  const value = ownProperty(placeholders.values, operand);
  if (value === undefined) throw new NotEvaluated(`'${operand}' is not in ExpressionAttributeValues`);
  return value;
}

function ownProperty(object: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
