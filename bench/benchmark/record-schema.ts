import { z } from 'zod';
import type { BenchmarkRecord } from './record.ts';

const figure = z.number().nonnegative();
const units = z.strictObject({ calls: figure, rcu: figure, wcu: figure });
const ofBothLayouts = z.strictObject({ sagabox: units, itemized: units });
const overheadOfBatch = z.strictObject({
  sagaboxMicros: figure,
  sagaboxSagaMicros: figure,
  powertoolsMicros: figure,
  middyMicros: figure,
  sagaboxMeanMicros: figure,
  sagaboxSagaMeanMicros: figure,
  powertoolsMeanMicros: figure,
  middyMeanMicros: figure,
  sagaboxAllocatedBytes: figure,
  sagaboxSagaAllocatedBytes: figure,
  powertoolsAllocatedBytes: figure,
  middyAllocatedBytes: figure,
});
const bundleParts = z.array(z.strictObject({ part: z.string(), kB: figure }));
const messagesPerSecond = z.strictObject({ sagabox: figure, itemized: figure, ratio: figure });
const contentionRound = z.strictObject({
  messages: figure,
  appliedOnce: figure,
  appliedTwice: figure,
  deadLettered: figure,
  refusedLockAttempts: figure,
  conflicts: figure,
  rcuPerMessage: figure,
  wcuPerMessage: figure,
  refusedWcuPerMessage: figure,
  seconds: figure,
});
const growthPoint = z.strictObject({ calls: figure, rcu: figure, wcu: figure, microsPerMessage: figure });
const idleRelay = z.strictObject({ calls: figure, rcu: figure, wcu: figure, micros: figure });
const recordCount = z.string().regex(/^\d+$/);
const growthOfState = growthPoint.extend({ itemWcu: figure });

/** A file of figures may have been cut, or be of another version: nothing is made of one that has other keys, or anything but numbers. */
export const recordSchema = z.strictObject({
  date: z.iso.date(),
  depth: z.enum(['short', 'full']),
  machine: z.strictObject({ cpu: z.string(), cores: figure, memoryGB: figure, os: z.string() }),
  versions: z.record(z.string(), z.string()),
  cost: z
    .strictObject({
      'N=0': ofBothLayouts,
      'N=1': ofBothLayouts,
      'N=3': ofBothLayouts,
      'N=10': ofBothLayouts,
      'N=3 incompressible': ofBothLayouts,
      'N=10 incompressible': ofBothLayouts,
      batch10: ofBothLayouts,
      discard: ofBothLayouts,
    })
    .exactOptional(),
  overhead: z.strictObject({ batch1: overheadOfBatch, batch10: overheadOfBatch }).exactOptional(),
  bundle: z
    .strictObject({
      sagaboxKB: figure,
      sagaboxGzipKB: figure,
      powertoolsKB: figure,
      powertoolsGzipKB: figure,
      middyKB: figure,
      middyGzipKB: figure,
      sagaboxParts: bundleParts,
      powertoolsParts: bundleParts,
    })
    .exactOptional(),
  coldLoadMs: z
    .strictObject({
      sagabox: figure,
      powertools: figure,
      middy: figure,
      withoutSdk: z.strictObject({ sagabox: figure, powertools: figure, middy: figure }),
      sdkLoadedAtOnce: z.strictObject({ sagabox: z.array(z.string()), powertools: z.array(z.string()) }),
      rounds: figure,
    })
    .exactOptional(),
  throughput: z
    .strictObject({
      1: messagesPerSecond,
      10: messagesPerSecond,
      50: messagesPerSecond.extend({ sagaboxDefaultConcurrency: figure }),
    })
    .exactOptional(),
  contention: z
    .strictObject({
      optimistic: contentionRound,
      eventual: contentionRound,
      pessimistic: contentionRound,
      blindSpin: contentionRound,
      retryWithoutJitter: contentionRound,
      turnsWithoutJitter: contentionRound,
      jitterWithoutTurns: contentionRound,
    })
    .exactOptional(),
  growth: z
    .strictObject({
      outboxRecords: z.record(recordCount, growthPoint),
      idleRelay: z.record(recordCount, idleRelay),
      stateKB: z.strictObject({ 1: growthOfState, 10: growthOfState, 100: growthOfState }),
    })
    .exactOptional(),
}) satisfies z.ZodType<BenchmarkRecord>;
