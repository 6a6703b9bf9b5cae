import type { CostFigures } from '../cost/figures.ts';

/** What `npm run bench -- --json FILE` writes, and `docs/proof/benchmarks.md` is made of. */
export interface BenchmarkFigures {
  readonly cost: CostFigures;
  readonly overhead: OverheadFigures;
  readonly bundle: BundleFigures;
  readonly coldLoadMs: ColdLoadFigures;
  readonly throughput: ThroughputFigures;
  readonly contention: ContentionBenchFigures;
  readonly growth: GrowthFigures;
}

/** Of one invocation, on clients that answer at once. */
export interface OverheadOfBatch {
  // Medians: of an invocation during which no garbage is collected.
  /** Deduplication and a handler, which is what Powertools does too. */
  readonly sagaboxMicros: number;
  /** With a saga, and a message sent, for each record. */
  readonly sagaboxSagaMicros: number;
  readonly powertoolsMicros: number;
  readonly middyMicros: number;
  // Means: what the collection of the garbage takes is in them.
  readonly sagaboxMeanMicros: number;
  readonly sagaboxSagaMeanMicros: number;
  readonly powertoolsMeanMicros: number;
  readonly middyMeanMicros: number;
  readonly sagaboxAllocatedBytes: number;
  readonly sagaboxSagaAllocatedBytes: number;
  readonly powertoolsAllocatedBytes: number;
  readonly middyAllocatedBytes: number;
}

export interface OverheadFigures {
  readonly batch1: OverheadOfBatch;
  readonly batch10: OverheadOfBatch;
}

export interface BundlePart {
  readonly part: string;
  readonly kB: number;
}

/** Kilobytes of 1,000 bytes, minified, the AWS SDK external. */
export interface BundleFigures {
  readonly sagaboxKB: number;
  readonly sagaboxGzipKB: number;
  readonly powertoolsKB: number;
  readonly powertoolsGzipKB: number;
  readonly middyKB: number;
  readonly middyGzipKB: number;
  /** Where the bytes of sagabox's bundle come from, largest first: folders of the package, and dependencies. */
  readonly sagaboxParts: readonly BundlePart[];
  readonly powertoolsParts: readonly BundlePart[];
}

/**
 * Medians of loading the bundle in a fresh process, the time to start Node itself not included, until its clients of AWS
 * services are made.
 */
export interface ColdLoadFigures {
  /** With what it loads of the AWS SDK at once. */
  readonly sagabox: number;
  readonly powertools: number;
  readonly middy: number;
  /** The bundle alone, when the SDK is there already. */
  readonly withoutSdk: Readonly<Record<'sagabox' | 'powertools' | 'middy', number>>;
  readonly sdkLoadedAtOnce: Readonly<Record<'sagabox' | 'powertools', readonly string[]>>;
  readonly rounds: number;
}

export interface MessagesPerSecond {
  readonly sagabox: number;
  readonly itemized: number;
  /** sagabox / itemized. */
  readonly ratio: number;
}

/** By how many messages are worked on at a time. */
export interface ThroughputFigures {
  readonly '1': MessagesPerSecond;
  readonly '10': MessagesPerSecond;
  /** `sagaboxDefaultConcurrency` is sagabox without the setting that works on all 50 at a time. */
  readonly '50': MessagesPerSecond & { readonly sagaboxDefaultConcurrency: number };
}

export interface ContentionRound {
  /** That were sent: each is to be applied once. */
  readonly messages: number;
  readonly appliedOnce: number;
  readonly appliedTwice: number;
  readonly deadLettered: number;
  readonly refusedLockAttempts: number;
  readonly conflicts: number;
  readonly rcuPerMessage: number;
  readonly wcuPerMessage: number;
  /** Of refused writes, by the rules: no engine reports them. */
  readonly refusedWcuPerMessage: number;
  readonly seconds: number;
}

/** All messages are of one saga, for 8 workers: 200 messages, 60 in a short run. */
export interface ContentionBenchFigures {
  readonly optimistic: ContentionRound;
  readonly eventual: ContentionRound;
  readonly pessimistic: ContentionRound;
  /** A lock that is asked for without turns, without knowing how long it is held. */
  readonly blindSpin: ContentionRound;
  /** A plain retry loop, as users write it: neither turns nor jitter. */
  readonly retryWithoutJitter: ContentionRound;
  /** What is missing of optimistic is its jitter. */
  readonly turnsWithoutJitter: ContentionRound;
  /** What is missing of optimistic are the turns within a batch. */
  readonly jitterWithoutTurns: ContentionRound;
}

export interface GrowthPoint {
  readonly calls: number;
  readonly rcu: number;
  readonly wcu: number;
  readonly microsPerMessage: number;
}

/** A run of the relay that finds nothing to do. */
export interface IdleRelay {
  readonly calls: number;
  readonly rcu: number;
  readonly wcu: number;
  readonly micros: number;
}

export interface GrowthFigures {
  /** By the number of records that the outbox table holds already. */
  readonly outboxRecords: Readonly<Record<string, GrowthPoint>>;
  /** Likewise. */
  readonly idleRelay: Readonly<Record<string, IdleRelay>>;
  /** By the kilobytes (of 1,000 bytes) of the saga's item; `itemWcu` is what the item alone takes in a transaction. */
  readonly stateKB: Readonly<Record<'1' | '10' | '100', GrowthPoint & { readonly itemWcu: number }>>;
}
