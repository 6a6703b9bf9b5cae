import { batches } from './batches.ts';
import type { Behaviour, UnshownBehaviour } from './behaviour.ts';
import { capacity } from './capacity.ts';
import { conditions } from './conditions.ts';
import { expressions } from './expressions.ts';
import { isolation, unshownConsistency } from './isolation.ts';
import { limits } from './limits.ts';
import { mapPaths } from './map-paths.ts';
import { reads } from './reads.ts';
import { statements } from './statements.ts';
import { streams, unshownStreams } from './streams.ts';
import { throttling, unshownThrottling } from './throttling.ts';
import { timeToLive, unshownTimeToLive } from './time-to-live.ts';
import { tokens } from './tokens.ts';
import { transactions } from './transactions.ts';

/** Each behaviour of DynamoDB that the package relies on, by topic. */
export const behaviours: Readonly<Record<string, readonly Behaviour[]>> = {
  conditions,
  expressions,
  'paths into maps': mapPaths,
  statements,
  transactions,
  tokens,
  isolation,
  'sizes and limits': limits,
  reads,
  batches,
  'charged units': capacity,
  streams,
  'time to live': timeToLive,
  throttling,
};

/** Those that no check of a minute can show, anywhere. */
export const unshownBehaviours: readonly UnshownBehaviour[] = [
  ...unshownConsistency,
  ...unshownStreams,
  ...unshownTimeToLive,
  ...unshownThrottling,
];
