import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** Which item of which table a call is about. */
export interface ItemTarget {
  readonly tableName: string;
  readonly key: Item;
}

/**
 * The same for the same item. In every key that sagabox makes, the partition stands before the sort key,
 * which has no spaces.
 */
export function targetId({ tableName, key }: ItemTarget): string {
  const [partition, sort] = Object.values(key);
  return `${tableName} ${sort?.S} ${partition?.S}`;
}

/** The target that an item of the same table has, or a key in whatever order DynamoDB gives it back. */
export function targetOfItem(item: Item, { tableName, key }: ItemTarget): ItemTarget {
  const names = Object.keys(key).filter((name) => item[name] !== undefined);
  return { tableName, key: Object.fromEntries(names.map((name) => [name, item[name] as AttributeValue])) };
}
