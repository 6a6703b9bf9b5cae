/** The defaults of the recovery, wherever it runs. */
export const recoveryDefaults = {
  /** The longest that a function of Lambda lives: nobody is still about to dispatch what is older. */
  olderThan: { minutes: 15 },
  /** Longer than the dispatch of one record takes. */
  leaseDuration: { minutes: 5 },
  concurrency: 10,
  includePostponed: false,
  maximumReadUnitsPerSecond: 25,
  segments: 64,
} as const;

/** How undispatched records are found: in the sparse index of the table, or by reading the whole table. */
export type RecoveryStrategy = 'index' | 'scan';

export function isRecoveryStrategy(value: unknown): value is RecoveryStrategy {
  return value === 'index' || value === 'scan';
}
