import { appendOnly } from './append-only/design.ts';
import { chunking } from './chunking/design.ts';
import { customStore } from './custom-store/design.ts';
import { dedicatedEndpoint } from './dedicated-endpoint/design.ts';
import { fifoGroups } from './fifo-groups/design.ts';
import { ioOutside } from './io-outside/design.ts';
import { lockingMode } from './locking-mode/design.ts';
import type { Design } from './measure/design.ts';
import { partitionedQueues } from './partitioned-queues/design.ts';
import { recoverabilityForConflicts } from './recoverability/design.ts';
import { sequential } from './sequential/design.ts';
import { smallState } from './small-state/design.ts';
import { startBeforeRace } from './start-before-race/design.ts';
import { tuningConcurrency } from './tuning-concurrency/design.ts';

/** By the names of their folders. */
export const designs = {
  'locking-mode': lockingMode,
  'tuning-concurrency': tuningConcurrency,
  'dedicated-endpoint': dedicatedEndpoint,
  'fifo-groups': fifoGroups,
  'partitioned-queues': partitionedQueues,
  chunking,
  sequential,
  'small-state': smallState,
  'start-before-race': startBeforeRace,
  'append-only': appendOnly,
  'custom-store': customStore,
  recoverability: recoverabilityForConflicts,
  'io-outside': ioOutside,
} as const satisfies Record<string, Design>;

export type DesignName = keyof typeof designs;
export const designNames = Object.keys(designs) as DesignName[];
