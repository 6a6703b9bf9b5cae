import type { BenchmarkFigures, ContentionRound, OverheadOfBatch } from './benchmark-figures.ts';
import type { CompleteRecord } from './record.ts';

const units = (calls: number, rcu: number, wcu: number) => ({ calls, rcu, wcu });

const overheadOfBatch: OverheadOfBatch = {
  sagaboxMicros: 300,
  sagaboxSagaMicros: 600,
  powertoolsMicros: 400,
  middyMicros: 20,
  sagaboxMeanMicros: 330,
  sagaboxSagaMeanMicros: 900,
  powertoolsMeanMicros: 440,
  middyMeanMicros: 25,
  sagaboxAllocatedBytes: 100_000,
  sagaboxSagaAllocatedBytes: 200_000,
  powertoolsAllocatedBytes: 200_000,
  middyAllocatedBytes: 10_000,
};
const round: ContentionRound = {
  messages: 200,
  appliedOnce: 200,
  appliedTwice: 0,
  deadLettered: 0,
  refusedLockAttempts: 10,
  conflicts: 10,
  rcuPerMessage: 2,
  wcuPerMessage: 4,
  refusedWcuPerMessage: 0,
  seconds: 1.5,
};
const peerRound: ContentionRound = {
  ...round,
  refusedLockAttempts: 100,
  conflicts: 100,
  wcuPerMessage: 4,
  refusedWcuPerMessage: 4,
  seconds: 3,
};
const relay = { ...units(1, 0.5, 0), micros: 2_000 };
const point = { ...units(4, 2, 5), microsPerMessage: 5_000 };

const figures: BenchmarkFigures = {
  cost: {
    'N=0': { sagabox: units(2, 2, 4), itemized: units(4, 2, 5) },
    'N=1': { sagabox: units(4, 2, 5), itemized: units(6, 2, 8) },
    'N=3': { sagabox: units(4, 2, 5), itemized: units(6, 2, 14) },
    'N=10': { sagabox: units(4, 2, 8), itemized: units(6, 2, 35) },
    'N=3 incompressible': { sagabox: units(4, 2, 8), itemized: units(6, 2, 14) },
    'N=10 incompressible': { sagabox: units(4, 2, 14), itemized: units(6, 2, 35) },
    batch10: { sagabox: units(13, 20, 50), itemized: units(60, 20, 80) },
    discard: { sagabox: units(2, 2, 4), itemized: units(4, 2, 3) },
  },
  overhead: { batch1: overheadOfBatch, batch10: overheadOfBatch },
  bundle: {
    sagaboxKB: 29.9,
    sagaboxGzipKB: 9.9,
    powertoolsKB: 40,
    powertoolsGzipKB: 12,
    middyKB: 7,
    middyGzipKB: 3,
    sagaboxParts: [
      { part: 'lib/flow', kB: 20 },
      { part: 'lib/core', kB: 9.2 },
      { part: 'lib/ports.ts', kB: 0.4 },
      { part: 'lib/index.ts', kB: 0.3 },
    ],
    powertoolsParts: [{ part: '@aws-lambda-powertools/batch', kB: 40 }],
  },
  coldLoadMs: {
    sagabox: 60,
    powertools: 100,
    middy: 2,
    withoutSdk: { sagabox: 6, powertools: 12, middy: 2 },
    sdkLoadedAtOnce: { sagabox: ['@aws-sdk/client-dynamodb', '@aws-sdk/util-dynamodb'], powertools: [] },
    rounds: 20,
  },
  throughput: {
    1: { sagabox: 150, itemized: 100, ratio: 1.5 },
    10: { sagabox: 600, itemized: 300, ratio: 2 },
    50: { sagabox: 1_000, itemized: 400, ratio: 2.5, sagaboxDefaultConcurrency: 800 },
  },
  contention: {
    optimistic: round,
    eventual: round,
    pessimistic: round,
    blindSpin: peerRound,
    retryWithoutJitter: peerRound,
    turnsWithoutJitter: round,
    jitterWithoutTurns: peerRound,
  },
  growth: {
    outboxRecords: { 1000: point, 1000000: { ...point, microsPerMessage: 5_500 } },
    idleRelay: { 1000: relay, 1000000: relay },
    stateKB: {
      1: { ...point, itemWcu: 2 },
      10: { ...point, wcu: 5.25, itemWcu: 2.25 },
      100: { ...units(4, 2.2, 5.5), microsPerMessage: 5_500, itemWcu: 2.5 },
    },
  },
};

/** All goals are just reached: figures that nobody measured. */
export const sampleRecord: CompleteRecord = {
  date: '2026-01-31',
  depth: 'full',
  machine: { cpu: 'A processor', cores: 2, memoryGB: 24, os: 'Linux 6.1, x64' },
  versions: { node: '24.0.0', sagabox: '0.1.0' },
  ...figures,
};
