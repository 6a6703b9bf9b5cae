import type { FigureName } from './derived-figures.ts';
import type { Limit } from './limit.ts';

/**
 * What a run fails by when it is worse: ratios and counts, never seconds, in short runs as in full ones. Whoever makes a
 * figure better records its bound anew.
 *
 * Units, calls and losses do not depend on the machine: their bounds are what was measured, rounded up in the third digit.
 * Sizes have room for a small change. What chance has a part in, ratios of times and of conflicts, was recorded from short
 * runs on a machine that was busy with other work, and has room for what such runs differ by: it is there for what became
 * much worse.
 */
export const bounds: Partial<Record<FigureName, Limit>> = {
  // 4 / 5, 5 / 8, 5 / 14 and 8 / 35 WCU, 2 / 2 RCU, 4 / 6 calls.
  wcuN0: { atMost: 0.8 },
  wcuN1: { atMost: 0.625 },
  wcuN3: { atMost: 0.358 },
  wcuN10: { atMost: 0.229 },
  rcuN1: { atMost: 1 },
  callsN1: { atMost: 0.667 },
  // 13 / 60 calls; up to 16 of them, by how the calls of a batch fall together.
  callsBatch10: { atMost: 0.267 },

  // 1.1 to 1.4 and 0.9 to 1.5 of the time, 1.3 to 1.5 of the allocations.
  overheadBatch1: { atMost: 2.2 },
  overheadBatch10: { atMost: 2.2 },
  allocatedBatch10: { atMost: 1.8 },

  // 112.5 kB and 38.2 kB, 2.04 and 2.36 of Powertools'.
  bundleKB: { atMost: 115 },
  bundleGzipKB: { atMost: 39 },
  bundleRatio: { atMost: 2.1 },
  bundleGzipRatio: { atMost: 2.42 },

  // 0.6 to 1.0 with the SDK, 0.7 to 1.1 without.
  coldLoad: { atMost: 1.5 },
  coldLoadAlone: { atMost: 2 },

  // 1.0 to 2.0, 2.6 to 3.1 and 3.8 to 5.1 times the messages per second.
  throughput1: { atLeast: 0.7 },
  throughput10: { atLeast: 1.5 },
  throughput50: { atLeast: 2 },

  appliedOnce: { atLeast: 1 },
  appliedTwice: { atMost: 0 },
  deadLettered: { atMost: 0 },
  // 49 / 431 and 134 / 837 attempts, 0.62 to 0.73 of the WCU; 148 / 784 and 309 / 786 conflicts, 0.35 to 0.52 of the WCU.
  refusedAttempts: { atMost: 0.5 },
  lockedWcu: { atMost: 0.95 },
  conflicts: { atMost: 0.6 },
  optimisticWcu: { atMost: 0.75 },

  outboxUnits: { atMost: 1 },
  outboxCalls: { atMost: 1 },
  outboxTime: { atMost: 1.5 },
  recoveryUnits: { atMost: 1 },
  recoveryCalls: { atMost: 1 },
  stateUnits: { atMost: 1 },
  stateCalls: { atMost: 1 },
};
