import { median } from '../../support/median.ts';
import { openFiles } from '../fleet/sample.ts';
import { type Memory, memories, type Sample } from '../fleet/worker-protocol.ts';

/** How something developed: the medians of its first and its last third. */
export interface Development {
  readonly first: number;
  readonly last: number;
  readonly limit: number;
  readonly grew: boolean;
}

export interface Growth {
  /** In each third. */
  readonly samples: number;
  readonly bytes: Readonly<Record<Memory, Development>>;
  /** By type; a type that is missing in a sample counts as none. */
  readonly handles: Readonly<Record<string, Development>>;
}

/** While it runs, code is compiled, connections are opened and tables of the runtime reach their size. */
const warmUpRounds = 1;
/** Three for each third, so that a single high one decides nothing. */
export const minWarmSamples = 9;

/** See docs/proof/soak.md for what they can tell and what they cannot. */
export const limits = { heapShare: 0.05, bufferBytes: 1_000_000, handles: 2, openFiles: 20 } as const;

/** @param samples of each round, in their order */
export function warmSamplesOf(samples: readonly (readonly Sample[])[]): Sample[] {
  return samples.slice(warmUpRounds).flat();
}

/**
 * @param samples of each round, in their order
 * @returns nothing when there are too few to tell
 */
export function growthOf(samples: readonly (readonly Sample[])[]): Growth | undefined {
  const warm = warmSamplesOf(samples);
  if (warm.length < minWarmSamples) return undefined;
  const third = Math.floor(warm.length / 3);
  const development = (values: readonly number[], limitOf: (first: number) => number): Development => {
    const first = median(values.slice(0, third));
    const last = median(values.slice(-third));
    const limit = limitOf(first);
    return { first, last, limit, grew: last > limit };
  };
  const types = new Set(warm.flatMap(({ handles }) => Object.keys(handles)));
  return {
    samples: third,
    bytes: Object.fromEntries(
      memories.map((memory) => [
        memory,
        development(
          warm.map(({ bytes }) => bytes[memory]),
          (first) => (memory === 'heapUsed' ? first * (1 + limits.heapShare) : first + limits.bufferBytes),
        ),
      ]),
    ) as Record<Memory, Development>,
    handles: Object.fromEntries(
      [...types].sort().map((type) => [
        type,
        development(
          warm.map(({ handles }) => handles[type] ?? 0),
          (first) => first + (type === openFiles ? limits.openFiles : limits.handles),
        ),
      ]),
    ),
  };
}

/** In words; nothing when neither memory nor handles grew. */
export function growthComplaints({ bytes, handles }: Growth): string[] {
  return [
    ...memories
      .filter((memory) => bytes[memory].grew)
      .map((memory) => `${memory} grew from ${bytes[memory].first} to ${bytes[memory].last} bytes`),
    ...Object.entries(handles)
      .filter(([, { grew }]) => grew)
      .map(([type, { first, last }]) => `handles of type ${type} grew from ${first} to ${last}`),
  ];
}
