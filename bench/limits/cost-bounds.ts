import type { Figures } from '../benchmark/figures.ts';
import { type Case, cases, comparedUnits, type Units } from '../cost/figures.ts';
import { itemizedFormulas } from '../cost/itemized-formula.ts';
import type { Goal, Judged } from './judged.ts';

/**
 * What sagabox may take: what it was measured to take, for any seed of the order data. Only the calls of a
 * batch have room: they are 4 (read, commit, send, mark), and 5 where a message on a busy machine comes too
 * late for one of them. They would be 13 if commits were not shared.
 */
export const costBounds: Readonly<Record<Case, Units>> = {
  'N=0': { calls: 2, rcu: 2, wcu: 4, refusedWcu: 0 },
  'N=1': { calls: 4, rcu: 2, wcu: 5, refusedWcu: 0 },
  'N=3': { calls: 4, rcu: 2, wcu: 5, refusedWcu: 0 },
  'N=10': { calls: 4, rcu: 2, wcu: 5, refusedWcu: 0 },
  'N=3 incompressible': { calls: 4, rcu: 2, wcu: 8, refusedWcu: 0 },
  'N=10 incompressible': { calls: 4, rcu: 2, wcu: 14, refusedWcu: 0 },
  batch10: { calls: 5, rcu: 20, wcu: 50, refusedWcu: 0 },
  discard: { calls: 2, rcu: 2, wcu: 4, refusedWcu: 0 },
};

/** The same with embedded outboxes and compressed state, by the messages that sagas have handled before. */
export const embeddedCostBounds: Readonly<Record<10 | 30, typeof costBounds>> = {
  10: {
    'N=0': { calls: 2, rcu: 0.5, wcu: 1, refusedWcu: 0 },
    'N=1': { calls: 4, rcu: 0.5, wcu: 2, refusedWcu: 0 },
    'N=3': { calls: 4, rcu: 0.5, wcu: 4, refusedWcu: 0 },
    'N=10': { calls: 4, rcu: 0.5, wcu: 4, refusedWcu: 0 },
    'N=3 incompressible': { calls: 4, rcu: 0.5, wcu: 6, refusedWcu: 0 },
    'N=10 incompressible': { calls: 4, rcu: 0.5, wcu: 10, refusedWcu: 0 },
    batch10: { calls: 5, rcu: 5, wcu: 20, refusedWcu: 0 },
    discard: { calls: 3, rcu: 1.5, wcu: 1, refusedWcu: 0 },
  },
  30: {
    'N=0': { calls: 2, rcu: 0.5, wcu: 2, refusedWcu: 0 },
    'N=1': { calls: 4, rcu: 0.5, wcu: 4, refusedWcu: 0 },
    'N=3': { calls: 4, rcu: 0.5, wcu: 4, refusedWcu: 0 },
    'N=10': { calls: 4, rcu: 0.5, wcu: 4, refusedWcu: 0 },
    'N=3 incompressible': { calls: 4, rcu: 0.5, wcu: 6, refusedWcu: 0 },
    'N=10 incompressible': { calls: 4, rcu: 0.5, wcu: 10, refusedWcu: 0 },
    batch10: { calls: 5, rcu: 5, wcu: 40, refusedWcu: 0 },
    discard: { calls: 3, rcu: 1.5, wcu: 1, refusedWcu: 0 },
  },
};

const titles = { calls: 'Calls', rcu: 'RCU', wcu: 'WCU' } as const;
const goals: Partial<Record<Case, Partial<Record<(typeof comparedUnits)[number], Goal>>>> = {
  'N=1': { wcu: { atMost: 0.63 }, calls: { atMost: 0.7 } },
  'N=3': { wcu: { atMost: 0.58 } },
  'N=10': { wcu: { atMost: 0.4 } },
  'N=3 incompressible': { wcu: { atMost: 0.58 } },
  'N=10 incompressible': { wcu: { atMost: 0.4 } },
  batch10: { calls: { atMost: 0.3 } },
};

/**
 * The same bounds beside the itemized layout, whose figures are those of its formula, or the measurement
 * fails.
 */
export const costRatios: readonly Judged<Figures['cost']>[] = cases.flatMap((name) =>
  comparedUnits.map((unit) => {
    const goal = goals[name]?.[unit];
    return {
      title: `${titles[unit]} of ${titleOf(name)}: sagabox / itemized`,
      value: (cost) => cost[name].sagabox[unit] / cost[name].itemized[unit],
      bound: {
        atMost: costBounds[name][unit] / itemizedFormulas[name][unit],
        ...(name === 'batch10' && unit === 'calls' && { seen: [4 / 60, 5 / 60] }),
      },
      ...(goal && { goal }),
    };
  }),
);

function titleOf(name: Case): string {
  if (name === 'batch10') return 'a batch of ten messages, N = 1';
  if (name === 'discard') return 'one discarded message';
  return `one message, ${name.replace('=', ' = ')}`;
}
