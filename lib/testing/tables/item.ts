import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Readonly<Record<string, AttributeValue>>;

/** What an expression is read with. */
export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

export function ownProperty(object: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** 'S', 'N' and so on. */
export function typeOf(value: AttributeValue): string {
  return Object.entries(value).find(([, part]) => part !== undefined)?.[0] ?? '';
}
