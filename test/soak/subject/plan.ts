import { Random } from '../../support/random.ts';
import type { RoundOptions } from '../options.ts';
import type { Booking, Closing, Inquiry } from './account-saga.ts';
import { deliveriesOf, shuffled } from './delivery-order.ts';
import type { Sends } from './entry.ts';
import { leaseDurationMs } from './modes.ts';
import { planClosings } from './plan-closings.ts';
import { MessagePlanner, type PlannedMessage } from './planned-message.ts';
import type { PlannedRequest } from './request.ts';

export interface RoundPlan {
  readonly bookings: readonly PlannedMessage<Booking>[];
  readonly inquiries: readonly PlannedMessage<Inquiry>[];
  /** Messages without a saga. */
  readonly notices: readonly PlannedMessage<Sends>[];
  /** For sessions. */
  readonly requests: readonly PlannedMessage<PlannedRequest>[];
  /** For every other account; several for those that start anew. */
  readonly closings: readonly PlannedMessage<Closing>[];
  /** Accounts that are closed and start anew several times. */
  readonly renewed: ReadonlySet<string>;
  /** Everything but what has to do with closings, in the order in which it is sent, copies included. */
  readonly deliveries: readonly PlannedMessage<object>[];
  /** The closings, the bookings that start accounts anew, and those that follow a change of forms: once all of that is done. */
  readonly closingDeliveries: readonly PlannedMessage<object>[];
}

/** Every so many messages one of the kind; shares of no common factor, so that they meet each other. */
const every = { poison: 199, large: 211, pause: 307 } as const;
/** Of a hundred messages; all others are bookings. */
const percent = { inquiry: 10, markedNotice: 5, sentNotice: 10, request: 10 } as const;
/** Three of them, compressed, are more than the item of an outbox record takes: it spills into chunks. */
const largeFillingBytes = 150_000;
const pauseMs = leaseDurationMs + 500;
/** So long that copies of a request meet each other. */
const requestPauseMs = 400;
const requestKinds = ['sideBySide', 'exclusive', 'mixed'] as const;

/** @param round told apart from others by its name, so that no message or saga is met twice */
export function planRound(options: RoundOptions, round: string, seed: number): RoundPlan {
  const random = new Random(seed);
  const planner = new MessagePlanner(options, round, random);
  const bookings: PlannedMessage<Booking>[] = [];
  const inquiries: PlannedMessage<Inquiry>[] = [];
  const notices: PlannedMessage<Sends>[] = [];
  const requests: PlannedMessage<PlannedRequest>[] = [];
  const closable = new Set<number>();
  for (let number = 0; number < options.messages; number += 1) {
    const account = number % options.sagas;
    const is = (kind: keyof typeof every) => number % every[kind] === every[kind] - 1;
    const isPoison = is('poison');
    const kind = isPoison ? 'booking' : kindOf(random.below(100));
    // What has no mark is known by what it sends.
    const fewest = kind === 'booking' ? 0 : 1;
    const sends = is('large')
      ? { sends: 3, fillingBytes: largeFillingBytes }
      : { sends: fewest + random.below(3 - fewest), fillingBytes: 0 };
    if (kind === 'booking') {
      if (account % 2 === 1 && !isPoison) closable.add(account);
      bookings.push(
        planner.booking(account, number, { ...sends, pauseMs: is('pause') ? pauseMs : 0, isPoison }),
      );
    } else if (kind === 'request') {
      const writes = random.below(2) === 0;
      const pause = is('pause') ? pauseMs : requestPauseMs;
      requests.push(planner.request(random.pick(requestKinds), number, { ...sends, writes, pauseMs: pause }));
    } else if (kind === 'inquiry') {
      inquiries.push(planner.inquiry(account, number, sends));
    } else {
      notices.push(planner.notice(kind === 'markedNotice' ? 'marked' : 'sent', number, sends));
    }
  }
  const deliveries = deliveriesOf(
    shuffled<PlannedMessage<object>>([...bookings, ...inquiries, ...notices, ...requests], random),
    random,
  );
  const accounts = Array.from({ length: options.sagas }, (_, account) => account);
  const changing = accounts.filter((account) => account % 2 === 0 && planner.changesForm(account));
  const { closings, renewed, further, inOrder } = planClosings(
    planner,
    { closable: [...closable], changing },
    options.messages,
    random,
  );
  return {
    bookings: [...bookings, ...further],
    inquiries,
    notices,
    requests,
    closings,
    renewed,
    deliveries,
    closingDeliveries: deliveriesOf(inOrder, random),
  };
}

function kindOf(drawn: number): 'booking' | keyof typeof percent {
  let below = 0;
  for (const [kind, share] of Object.entries(percent)) {
    below += share;
    if (drawn < below) return kind as keyof typeof percent;
  }
  return 'booking';
}
