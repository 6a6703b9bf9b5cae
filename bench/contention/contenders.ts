import { createHandler, type Locking } from 'sagabox';
import type { ContentionBenchFigures } from '../benchmark/benchmark-figures.ts';
import { blindSpinHandler } from '../peers/blind-spin.ts';
import { jitterWithoutTurnsHandler } from '../peers/jitter-without-turns.ts';
import { retryWithoutJitterHandler } from '../peers/retry-without-jitter.ts';
import { turnsWithoutJitterHandler } from '../peers/turns-without-jitter.ts';
import { type Mode, modes } from './options.ts';
import type { MakeHandler } from './round.ts';

export type ContenderName = keyof ContentionBenchFigures;

export interface Contender {
  readonly locking: Locking;
  readonly makeHandler: MakeHandler;
}

export const lockings: Readonly<Record<Mode, Locking>> = {
  optimistic: { mode: 'optimistic' },
  eventual: { mode: 'optimistic', consistentRead: false },
  pessimistic: { mode: 'pessimistic' },
};

export const contenders: Readonly<Record<ContenderName, Contender>> = {
  optimistic: { locking: lockings.optimistic, makeHandler: createHandler },
  eventual: { locking: lockings.eventual, makeHandler: createHandler },
  pessimistic: { locking: lockings.pessimistic, makeHandler: createHandler },
  blindSpin: { locking: lockings.pessimistic, makeHandler: blindSpinHandler },
  retryWithoutJitter: { locking: lockings.optimistic, makeHandler: retryWithoutJitterHandler },
  turnsWithoutJitter: { locking: lockings.optimistic, makeHandler: turnsWithoutJitterHandler },
  jitterWithoutTurns: { locking: lockings.optimistic, makeHandler: jitterWithoutTurnsHandler },
};

export const contenderNames = Object.keys(contenders) as ContenderName[];

/** Whether it is sagabox, whose claim it is that each message is applied once. */
export function isSagabox(name: ContenderName): boolean {
  return modes.some((mode) => mode === name);
}
