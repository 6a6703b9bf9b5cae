import type { Random } from '../../support/random.ts';
import type { Booking, Closing } from './account-saga.ts';
import { inTurns, shuffled } from './delivery-order.ts';
import type { MessagePlanner, PlannedMessage } from './planned-message.ts';

export interface ClosingPlan {
  readonly closings: readonly PlannedMessage<Closing>[];
  readonly renewed: ReadonlySet<string>;
  /** Bookings of accounts that start anew. */
  readonly anew: readonly PlannedMessage<Booking>[];
  /** All of these, without copies. */
  readonly inOrder: readonly PlannedMessage<object>[];
}

/** Every third account is closed and started again in random order, to reach the same versions. */
const renewal = { every: 3, closings: 4, bookings: 8, pauseMs: 300 } as const;

/** @param next the number of the next booking */
export function planClosings(
  planner: MessagePlanner,
  accounts: readonly number[],
  next: number,
  random: Random,
): ClosingPlan {
  const renewed = accounts.filter((_account, index) => index % renewal.every === 0);
  const lastClosings = accounts
    .filter((_account, index) => index % renewal.every !== 0)
    .map((account) => planner.closing(account, 0));
  const renewals = renewed.map((account, place) => ({
    closings: Array.from({ length: renewal.closings }, (_, life) => planner.closing(account, life)),
    anew: Array.from({ length: renewal.bookings }, (_, index) =>
      planner.booking(account, next + place * renewal.bookings + index, {
        sends: random.below(3),
        fillingBytes: 0,
        // While one handler pauses, others end the life of the saga that it has read.
        pauseMs: index % 2 === 0 ? renewal.pauseMs : 0,
        isPoison: false,
      }),
    ),
  }));
  const inAnyOrder = renewals.map(({ closings, anew }) =>
    shuffled<PlannedMessage<object>>([...closings, ...anew], random),
  );
  return {
    closings: [...lastClosings, ...renewals.flatMap(({ closings }) => closings)],
    renewed: new Set(renewed.map((account) => planner.accountName(account))),
    anew: renewals.flatMap(({ anew }) => anew),
    inOrder: [...inTurns(inAnyOrder), ...lastClosings],
  };
}
