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

/** The attribute names of the tables that the constructs make. */
export const tableDefaults = {
  partitionKeyName: 'PK',
  sortKeyName: 'SK',
  timeToLiveAttributeName: 'ExpiresAt',
} as const;

/** How long a message is known after its dispatch, where no construct knows the retentions of the queues. */
export const defaultDeduplicationPeriod = { days: 7 } as const;
