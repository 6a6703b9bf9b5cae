import type { Random } from '../../support/random.ts';
import type { Booking, Closing } from './account-saga.ts';
import { inTurns, shuffled } from './delivery-order.ts';
import type { MessagePlanner, PlannedMessage } from './planned-message.ts';

export interface ClosingPlan {
  readonly closings: readonly PlannedMessage<Closing>[];
  readonly renewed: ReadonlySet<string>;
  /** Bookings of accounts that start anew, or that go on in the other outbox form. */
  readonly further: readonly PlannedMessage<Booking>[];
  /** All of these, without copies. */
  readonly inOrder: readonly PlannedMessage<object>[];
}

/** Every third account is closed and started again in random order, to reach the same versions. */
const renewal = { every: 3, closings: 4, bookings: 8 } as const;
/** Of an account that stays open. */
const continuation = { closings: 0, bookings: 4 } as const;
const pauseMs = 300;

export interface AccountsToClose {
  readonly closable: readonly number[];
  /** Of those that go on, the ones whose outbox form changes meanwhile. */
  readonly changing: readonly number[];
}

/** @param next the number of the next booking */
export function planClosings(
  planner: MessagePlanner,
  { closable, changing }: AccountsToClose,
  next: number,
  random: Random,
): ClosingPlan {
  const renewed = closable.filter((_account, index) => index % renewal.every === 0);
  const lastClosings = closable
    .filter((_account, index) => index % renewal.every !== 0)
    .map((account) => planner.closing(account, 0));
  const renewals = [...renewed, ...changing].map((account, place) => {
    const counts = place < renewed.length ? renewal : continuation;
    return {
      closings: Array.from({ length: counts.closings }, (_, life) => planner.closing(account, life)),
      further: Array.from({ length: counts.bookings }, (_, index) =>
        planner.booking(account, next + place * renewal.bookings + index, {
          sends: random.below(3),
          fillingBytes: 0,
          // While one handler pauses, others end the life of the saga that it has read.
          pauseMs: index % 2 === 0 ? pauseMs : 0,
          isPoison: false,
        }),
      ),
    };
  });
  const inAnyOrder = renewals.map(({ closings, further }) =>
    shuffled<PlannedMessage<object>>([...closings, ...further], random),
  );
  return {
    closings: [...lastClosings, ...renewals.flatMap(({ closings }) => closings)],
    renewed: new Set(renewed.map((account) => planner.accountName(account))),
    further: renewals.flatMap(({ further }) => further),
    inOrder: [...inTurns(inAnyOrder), ...lastClosings],
  };
}
