import type { Item } from '../../../core/storage/item-attributes.ts';

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
  const parts = Object.keys(key).flatMap((name) => (item[name] ? [[name, item[name]] as const] : []));
  return { tableName, key: Object.fromEntries(parts) };
}
