import type { Item } from '../item-attributes.ts';

/** The table and the key of the item that a call is about. */
export interface ItemTarget {
  readonly tableName: string;
  readonly key: Item;
}

/**
 * Returns an id of the item, the same for each target of the item. In every key that sagabox makes, the
 * partition key stands before the sort key, which has no spaces.
 */
export function targetId({ tableName, key }: ItemTarget): string {
  const [partition, sort] = Object.values(key);
  return `${tableName} ${sort?.S} ${partition?.S}`;
}

/** Returns the target of an item of the same table, or of a key, whose attributes come in any order. */
export function targetOfItem(item: Item, { tableName, key }: ItemTarget): ItemTarget {
  const parts = Object.keys(key).flatMap((name) => (item[name] ? [[name, item[name]] as const] : []));
  return { tableName, key: Object.fromEntries(parts) };
}
