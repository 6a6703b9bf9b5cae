import type { BenchRun } from '../benchmark/bench-run.ts';

export interface GrowthDepth {
  /** That the two outbox tables hold: fewest first. */
  readonly outboxRecords: readonly [number, number];
  /** Timed messages of each table, and of each size. */
  readonly runs: number;
  readonly warmUp: number;
  readonly idleRelays: number;
}

export const depths: Readonly<Record<BenchRun['depth'], GrowthDepth>> = {
  short: { outboxRecords: [1_000, 5_000], runs: 30, warmUp: 10, idleRelays: 5 },
  full: { outboxRecords: [1_000, 1_000_000], runs: 800, warmUp: 200, idleRelays: 50 },
};

export const stateKB = ['1', '10', '100'] as const;
/** Messages whose calls are recorded. */
export const recordedMessages = 3;
