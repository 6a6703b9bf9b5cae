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
