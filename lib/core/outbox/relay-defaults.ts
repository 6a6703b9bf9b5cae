export const relayDefaults = {
  strategy: 'scan',
  /** The longest that a function of Lambda lives: nobody is still about to dispatch what is older. */
  olderThan: { minutes: 15 },
  /** Longer than the dispatch of one record takes. */
  leaseDuration: { minutes: 5 },
  concurrency: 10,
  includePostponed: false,
  maxReadUnitsPerSecond: 25,
  segments: 64,
} as const;

/**
 * How undispatched records are found: on the list that the watcher of the table's stream keeps, or by reading the whole
 * table.
 */
export type RelayStrategy = 'stream' | 'scan';

export function isRelayStrategy(value: unknown): value is RelayStrategy {
  return value === 'stream' || value === 'scan';
}
