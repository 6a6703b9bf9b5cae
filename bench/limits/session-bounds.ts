import type { Figures } from '../benchmark/figures.ts';
import { unitHeadings, unitNames } from '../cost/figures.ts';
import { formatWhole } from '../report/format.ts';
import type { Judged } from './judged.ts';

type Sessions = Judged<Figures['sessions']>;

/** A lease is the dedup check too: beside it there is the commit, as there are two writes with Powertools. */
const bounds = {
  first: {
    time: { short: { atMost: 1.41, seen: [0.901, 1.224] }, full: { atMost: 1.1, seen: [0.928, 1.078] } },
    units: { calls: 2, rcu: 0, wcu: 2, refusedWcu: 0 },
  },
  repeated: {
    time: { short: { atMost: 1.28, seen: [0.56, 1.112] }, full: { atMost: 1.04, seen: [0.771, 0.899] } },
    units: { calls: 1, rcu: 0, wcu: 0, refusedWcu: 1 },
  },
} as const;
const kinds = ['first', 'repeated'] as const;

export const sessionFigures: readonly Sessions[] = kinds.flatMap((kind) => [
  {
    title: `Time of a ${kind} request: sagabox, exclusive / Powertools`,
    value: ({ [kind]: { sagaboxExclusive, powertools } }) =>
      sagaboxExclusive.medianMicros / powertools.medianMicros,
    bound: bounds[kind].time,
    goal: { atMost: 1.1 },
  },
  ...unitNames.map((unit): Sessions => {
    const atMost = bounds[kind].units[unit];
    return {
      title: `${unitHeadings[unit]} of a ${kind} request: sagabox, exclusive`,
      value: ({ [kind]: { sagaboxExclusive } }) => sagaboxExclusive[unit],
      format: formatWhole,
      bound: { atMost, seen: [atMost, atMost] },
    };
  }),
]);
