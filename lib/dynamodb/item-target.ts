import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** Which item of which table a call is about. */
export interface ItemTarget {
  readonly tableName: string;
  readonly key: Item;
}

/** The same for the same item: the attributes of every key that sagabox makes stand in one order. */
export function targetId({ tableName, key }: ItemTarget): string {
  return JSON.stringify([tableName, key]);
}

/** The target that an item of the same table has, or a key in whatever order DynamoDB gives it back. */
export function targetOfItem(item: Item, { tableName, key }: ItemTarget): ItemTarget {
  const names = Object.keys(key).filter((name) => item[name] !== undefined);
  return { tableName, key: Object.fromEntries(names.map((name) => [name, item[name] as AttributeValue])) };
}
