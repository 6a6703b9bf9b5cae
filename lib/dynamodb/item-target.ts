import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** Which item of which table a call is about. */
export interface ItemTarget {
  readonly tableName: string;
  readonly key: Item;
}

/** The same for the same item, whatever the order of its key's attributes. */
export function targetId({ tableName, key }: ItemTarget): string {
  return JSON.stringify([
    tableName,
    ...Object.keys(key)
      .toSorted()
      .map((name) => key[name]),
  ]);
}

/** The target that an item of the same table has. */
export function targetOfItem(item: Item, { tableName, key }: ItemTarget): ItemTarget {
  const names = Object.keys(key).filter((name) => item[name] !== undefined);
  return { tableName, key: Object.fromEntries(names.map((name) => [name, item[name] as AttributeValue])) };
}
