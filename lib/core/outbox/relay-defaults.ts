export const relayDefaults = {
  /** The longest that a function of Lambda lives: nobody is still about to dispatch what is older. */
  olderThan: { minutes: 15 },
  /** Longer than the dispatch of one record takes. */
  leaseDuration: { minutes: 5 },
  concurrency: 10,
  includePostponed: false,
  maxReadUnitsPerSecond: 25,
  segments: 64,
} as const;

/** How undispatched records are found: in the sparse index of the table, or by reading the whole table. */
export type RelayStrategy = 'index' | 'scan';

export function isRelayStrategy(value: unknown): value is RelayStrategy {
  return value === 'index' || value === 'scan';
}
