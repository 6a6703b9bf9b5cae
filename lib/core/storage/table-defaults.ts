/** The attribute names of the tables that the constructs make. */
export const tableDefaults = {
  partitionKeyName: 'PK',
  sortKeyName: 'SK',
  timeToLiveAttributeName: 'ExpiresAt',
} as const;

/** How long a message is known after its dispatch, where no construct knows the retentions of the queues. */
export const defaultDeduplicationPeriod = { days: 7 } as const;
