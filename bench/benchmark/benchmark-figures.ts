import { z } from 'zod';
import { type CostFigures, cases } from '../cost/figures.ts';

/** Not negative, not infinite, and a number at all. */
export const figure = z.number().nonnegative();
const figures = <Name extends string>(...names: readonly Name[]) => z.record(z.enum(names), figure);

const ofBothLayouts = z.record(z.enum(['sagabox', 'itemized']), figures('calls', 'rcu', 'wcu'));

/**
 * Of one invocation, on clients that answer at once. `sagaboxSaga` has a saga, and sends a message, for each
 * record.
 */
const overheadOfBatch = figures(
  // Medians: of an invocation during which no garbage is collected.
  'sagaboxMicros',
  'sagaboxSagaMicros',
  'powertoolsMicros',
  'middyMicros',
  // Means: they include the collection of garbage.
  'sagaboxMeanMicros',
  'sagaboxSagaMeanMicros',
  'powertoolsMeanMicros',
  'middyMeanMicros',
  'sagaboxAllocatedBytes',
  'sagaboxSagaAllocatedBytes',
  'powertoolsAllocatedBytes',
  'middyAllocatedBytes',
);

/** Where the bytes of a bundle come from, largest first: folders of the package, and dependencies. */
const bundleParts = z.array(z.strictObject({ part: z.string(), kB: figure }));
/** Kilobytes of 1,000 bytes, minified, the AWS SDK external. */
const bundle = z.strictObject({
  sagaboxKB: figure,
  sagaboxGzipKB: figure,
  powertoolsKB: figure,
  powertoolsGzipKB: figure,
  middyKB: figure,
  middyGzipKB: figure,
  sagaboxParts: bundleParts,
  powertoolsParts: bundleParts,
});

/**
 * Medians of loading the bundle in a fresh process, the time to start Node itself not included, until its
 * clients of AWS services are made.
 */
const coldLoadMs = z.strictObject({
  // With what it loads of the AWS SDK at once.
  sagabox: figure,
  powertools: figure,
  middy: figure,
  /** The bundle alone, when the SDK is there already. */
  withoutSdk: figures('sagabox', 'powertools', 'middy'),
  sdkLoadedAtOnce: z.strictObject({ sagabox: z.array(z.string()), powertools: z.array(z.string()) }),
  rounds: figure,
});

/** `ratio` is sagabox / itemized. */
const messagesPerSecond = z.strictObject({ sagabox: figure, itemized: figure, ratio: figure });
/** By how many messages are worked on at a time. */
const throughput = z.strictObject({
  1: messagesPerSecond,
  10: messagesPerSecond,
  /** `sagaboxDefaultConcurrency` is sagabox without the setting that works on all 50 at a time. */
  50: messagesPerSecond.extend({ sagaboxDefaultConcurrency: figure }),
});

const contentionRound = figures(
  // That were sent: each is to be applied once.
  'messages',
  'appliedOnce',
  'appliedTwice',
  'deadLettered',
  'refusedLockAttempts',
  'conflicts',
  'rcuPerMessage',
  'wcuPerMessage',
  // Of refused writes, by the rules: no engine reports them.
  'refusedWcuPerMessage',
  'seconds',
);
/** All messages are of one saga, for 8 workers: 200 messages, 60 in a short run. */
const contention = z.strictObject({
  optimistic: contentionRound,
  eventual: contentionRound,
  pessimistic: contentionRound,
  /** A lock that is asked for without turns, without knowing how long it is held. */
  blindSpin: contentionRound,
  /** A plain retry loop, as users write it: neither turns nor jitter. */
  retryWithoutJitter: contentionRound,
  /** What is missing of optimistic is its jitter. */
  turnsWithoutJitter: contentionRound,
  /** What is missing of optimistic are the turns within a batch. */
  jitterWithoutTurns: contentionRound,
});

const recordCount = z.string().regex(/^\d+$/);
const growthOfState = figures('calls', 'rcu', 'wcu', 'microsPerMessage', 'itemWcu');
const growth = z.strictObject({
  /** By the number of records that the outbox table holds already. */
  outboxRecords: z.record(recordCount, figures('calls', 'rcu', 'wcu', 'microsPerMessage')),
  /** A run of the relay that finds nothing to do, by the same number. */
  idleRelay: z.record(recordCount, figures('calls', 'rcu', 'wcu', 'micros')),
  /**
   * By the kilobytes (of 1,000 bytes) of the saga's item; `itemWcu` is what the item alone takes in a
   * transaction.
   */
  stateKB: z.strictObject({ 1: growthOfState, 10: growthOfState, 100: growthOfState }),
});

/** What `npm run bench -- --json FILE` writes, and the page of the benchmarks is made of, part by part. */
export const partSchemas = {
  cost: z.record(z.enum(cases), ofBothLayouts),
  overhead: z.strictObject({ batch1: overheadOfBatch, batch10: overheadOfBatch }),
  bundle,
  coldLoadMs,
  throughput,
  contention,
  growth,
} as const;

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;
export type Figures<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;

export interface BenchmarkFigures {
  readonly cost: CostFigures;
  readonly overhead: OverheadFigures;
  readonly bundle: BundleFigures;
  readonly coldLoadMs: ColdLoadFigures;
  readonly throughput: ThroughputFigures;
  readonly contention: ContentionBenchFigures;
  readonly growth: GrowthFigures;
}
export type OverheadOfBatch = Figures<typeof overheadOfBatch>;
export type OverheadFigures = { readonly batch1: OverheadOfBatch; readonly batch10: OverheadOfBatch };
export type BundleFigures = Figures<typeof bundle>;
export type BundlePart = BundleFigures['sagaboxParts'][number];
export type ColdLoadFigures = Figures<typeof coldLoadMs>;
export type MessagesPerSecond = Figures<typeof messagesPerSecond>;
export type ThroughputFigures = Figures<typeof throughput>;
export type ContentionRound = Figures<typeof contentionRound>;
export type ContentionBenchFigures = Figures<typeof contention>;
export type GrowthFigures = Figures<typeof growth>;
export type GrowthPoint = GrowthFigures['outboxRecords'][string];
export type IdleRelay = GrowthFigures['idleRelay'][string];
