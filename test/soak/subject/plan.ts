import { Random } from '../../../bench/cost/random.ts';
import type { RoundOptions } from '../options.ts';
import { type Booking, messageTypes } from './account-saga.ts';
import { leaseDurationMs, type Mode, modes } from './modes.ts';

export interface PlannedMessage<Body> {
  readonly id: string;
  readonly type: string;
  readonly body: Body;
  /** `sentTwice`: as two messages of SQS with one id. `redelivered`: SQS delivers it again after it was handled. */
  readonly duplicate: 'no' | 'sentTwice' | 'redelivered';
}

export interface RoundPlan {
  readonly bookings: readonly PlannedMessage<Booking>[];
  /** For every other account, once its bookings are done. */
  readonly closings: readonly PlannedMessage<{ account: string }>[];
  /** The bookings in the order in which they are sent, copies included. */
  readonly deliveries: readonly PlannedMessage<Booking>[];
}

/** Every so many bookings one of the kind; shares of no common factor, so that they meet each other. */
const every = { poison: 199, pause: 307, large: 1009 } as const;
/** Three of them, compressed, are more than the item of an outbox record takes: it spills into chunks. */
const largeFillingBytes = 150_000;
const pauseMs = leaseDurationMs + 500;

/** @param round told apart from others by its name, so that no message or saga is met twice */
export function planRound(options: RoundOptions, round: string, seed: number): RoundPlan {
  const random = new Random(seed);
  const { messages, sagas, duplicatesPercent, mode } = options;
  const modeOf = (account: number): Mode =>
    mode === 'mixed' ? (modes[account % modes.length] ?? 'optimistic') : mode;
  const duplicate = (): PlannedMessage<unknown>['duplicate'] => {
    if (random.below(100) >= duplicatesPercent) return 'no';
    return random.pick(['sentTwice', 'redelivered']);
  };
  const bookings = Array.from({ length: messages }, (_, number) => {
    const account = number % sagas;
    const isLarge = number % every.large === every.large - 1;
    const body: Booking = {
      account: `${round}-${account}`,
      number,
      sends: isLarge ? 3 : random.below(3),
      fillingBytes: isLarge ? largeFillingBytes : 0,
      pauseMs: number % every.pause === every.pause - 1 ? pauseMs : 0,
      isPoison: number % every.poison === every.poison - 1,
    };
    const type = messageTypes.booking(modeOf(account));
    return { id: `${round}-${number}`, type, body, duplicate: duplicate() } as const;
  });
  const closings = Array.from({ length: sagas }, (_, account) => account)
    .filter(
      (account) =>
        account % 2 === 1 && bookings.some(({ body }) => body.number % sagas === account && !body.isPoison),
    )
    .map((account) => ({
      id: `${round}-closing-${account}`,
      type: messageTypes.closing(modeOf(account)),
      body: { account: `${round}-${account}` },
      duplicate: duplicate(),
    }));
  const copies = bookings.flatMap((booking) =>
    booking.duplicate === 'sentTwice' ? [booking, booking] : [booking],
  );
  return { bookings, closings, deliveries: shuffled(copies, random) };
}

/** By Fisher and Yates. */
function shuffled<T>(elements: readonly T[], random: Random): T[] {
  const order = [...elements];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
