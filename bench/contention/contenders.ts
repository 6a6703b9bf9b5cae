import { createHandler, type EmbeddedOutbox, embeddedOutbox, type Locking } from 'sagabox';
import type { Figures } from '../benchmark/figures.ts';
import { blindSpinHandler } from '../peers/blind-spin.ts';
import {
  jitterWithoutTurnsHandler,
  retryWithoutJitterHandler,
  turnsWithoutLeaseHandler,
} from '../peers/retries.ts';
import type { MakeHandler } from './round.ts';

export type ContenderName = keyof Figures['contention'];

const optimistic: Locking = { mode: 'optimistic' };
const pessimistic: Locking = { mode: 'pessimistic' };

interface Contender {
  readonly locking: Locking;
  readonly makeHandler: MakeHandler;
  /** @default - outbox records */
  readonly outbox?: EmbeddedOutbox;
}

export const contenders: Readonly<Record<ContenderName, Contender>> = {
  optimistic: { locking: optimistic, makeHandler: createHandler },
  eventual: { locking: { ...optimistic, consistentRead: false }, makeHandler: createHandler },
  pessimistic: { locking: pessimistic, makeHandler: createHandler },
  embedded: { locking: optimistic, makeHandler: createHandler, outbox: embeddedOutbox() },
  blindSpin: { locking: pessimistic, makeHandler: blindSpinHandler },
  retryWithoutJitter: { locking: optimistic, makeHandler: retryWithoutJitterHandler },
  turnsWithoutLease: { locking: optimistic, makeHandler: turnsWithoutLeaseHandler },
  jitterWithoutTurns: { locking: optimistic, makeHandler: jitterWithoutTurnsHandler },
};

export const contenderNames = Object.keys(contenders) as ContenderName[];
