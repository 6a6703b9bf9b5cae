import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { ItemKey } from './keys.ts';
import type { tableDefaults } from './table-defaults.ts';

/** The attributes of a table that its user names. */
export type TableAttributes = Readonly<Record<keyof typeof tableDefaults, string>>;

export type Item = Record<string, AttributeValue>;

/** The schema of what this version of sagabox stores, in every item. */
export const SCHEMA_VERSION = 1;

export function keyAttributes(table: TableAttributes, key: ItemKey): Item {
  return { [table.partitionKeyName]: { S: key.partition }, [table.sortKeyName]: { S: key.sort } };
}
