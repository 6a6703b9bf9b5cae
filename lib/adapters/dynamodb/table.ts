import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { ItemKey } from '../../core/storage/keys.ts';

/** A table of sagabox's, as the constructs make it; a table of your own may use other attribute names. */
export interface TableConfiguration {
  tableName: string;
  /** @default 'PK' */
  partitionKeyName?: string;
  /** @default 'SK' */
  sortKeyName?: string;
  /** @default 'ExpiresAt' */
  timeToLiveAttributeName?: string;
}

export type Table = Readonly<Required<TableConfiguration>>;

export function keyAttributes(table: Table, key: ItemKey): Record<string, AttributeValue> {
  return { [table.partitionKeyName]: { S: key.partition }, [table.sortKeyName]: { S: key.sort } };
}

/** The schema of what this version of sagabox stores, in every item. */
export const SCHEMA_VERSION = 1;
