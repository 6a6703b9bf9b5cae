export const relayDefaults = {
  strategy: 'scan',
  /** The longest time of an invocation: after that, no function is still about to dispatch a record. */
  olderThan: { minutes: 15 },
  /** Longer than the dispatch of one record takes. */
  leaseDuration: { minutes: 5 },
  concurrency: 10,
  includePostponed: false,
  maxReadUnitsPerSecond: 25,
  segments: 64,
} as const;

/**
 * The way in which undispatched records are found: on the list that the watcher of the table's stream keeps,
 * or by reading the whole table.
 */
export type RelayStrategy = 'stream' | 'scan';

export function isRelayStrategy(value: unknown): value is RelayStrategy {
  return value === 'stream' || value === 'scan';
}
