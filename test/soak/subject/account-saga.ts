import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { defineSaga, UnrecoverableError } from 'sagabox';
import { boolean, number, object, string } from 'valibot';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';
import { outboxOfForm } from '../../support/outbox-of-form.ts';
import { entryType, ledgerDestination, type Sends, sendEntries } from './entry.ts';
import { markOf } from './mark.ts';
import type { Mode } from './modes.ts';

export const messageTypes = {
  booking: (mode: Mode) => `${mode}Booking`,
  inquiry: (mode: Mode) => `${mode}Inquiry`,
  closing: (mode: Mode) => `${mode}Closing`,
};

interface AccountState {
  /** The numbers of the bookings that were applied, in their order. */
  bookings: number[];
}

export interface AccountSagaOptions {
  readonly mode: Mode;
  readonly outbox: SagaOutboxForm;
  readonly markTable: string;
  /** Whether this run of a handler is to fail, as by an error of its own. */
  readonly fails: () => boolean;
}

export function sagaName(mode: Mode): string {
  return `${mode}Account`;
}

/**
 * Applies each booking and closing in three ways, which commit together or not at all: to the state of its
 * saga, to a mark of its own that counts, and by what it sends. Some have no mark, in sagas that have an embedded
 * outbox at some time. Each run of a handler names itself in what it sends and in the mark, so that what was sent by
 * one that did not commit shows. An inquiry only reads its saga and sends, so that its outbox record is all that is
 * written; the first one of an account starts it.
 */
export function accountSaga({ mode, outbox, markTable, fails }: AccountSagaOptions) {
  const booking = messageTypes.booking(mode);
  const inquiry = messageTypes.inquiry(mode);
  const closing = messageTypes.closing(mode);
  const sends = { sends: number(), fillingBytes: number() };
  return defineSaga({
    name: sagaName(mode),
    outbox: outboxOfForm(outbox),
    messages: {
      [booking]: object({
        account: string(),
        number: number(),
        ...sends,
        pauseMs: number(),
        isPoison: boolean(),
        isMarked: boolean(),
      }),
      [inquiry]: object({ account: string(), ...sends }),
      [closing]: object({ account: string(), isMarked: boolean() }),
    },
    correlate: {
      [booking]: (body) => body.account,
      [inquiry]: (body) => body.account,
      [closing]: (body) => body.account,
    },
    startedBy: [booking, inquiry],
    initialState: (): AccountState => ({ bookings: [] }),
    handlers: {
      async [booking](message, { saga, send, transaction }) {
        const { id, body } = message as unknown as { id: string; body: Booking };
        const attempt = randomUUID();
        if (body.isMarked) transaction.add(markOf(markTable, id, attempt));
        saga.state.bookings.push(body.number);
        sendEntries(send, id, attempt, body);
        if (body.pauseMs > 0) await delay(body.pauseMs);
        if (body.isPoison) throw new UnrecoverableError('This booking cannot be applied');
        if (fails()) throw new Error('The handler failed');
      },
      [inquiry](message, { saga, send }) {
        const { id, body } = message as unknown as { id: string; body: Inquiry };
        const { bookings } = saga.state;
        if (new Set(bookings).size < bookings.length)
          throw new UnrecoverableError('A booking is there twice');
        sendEntries(send, id, randomUUID(), body);
        if (fails()) throw new Error('The handler failed');
      },
      [closing](message, { saga, send, transaction }) {
        const { id, body } = message as unknown as { id: string; body: Closing };
        const attempt = randomUUID();
        if (body.isMarked) transaction.add(markOf(markTable, id, attempt));
        const { bookings } = saga.state;
        send(ledgerDestination, entryType, { source: id, ordinal: 0, attempt, bookings });
        saga.complete();
      },
    },
  });
}

export interface Inquiry extends Sends {
  readonly account: string;
}

export interface Booking extends Sends {
  readonly account: string;
  readonly number: number;
  /** How long its handler takes. */
  readonly pauseMs: number;
  /** Whether its handler always fails, after it has recorded what it would do. */
  readonly isPoison: boolean;
  /** Whether it writes by itself. Without that, the item of a saga with an embedded outbox is all that is written. */
  readonly isMarked: boolean;
}

export interface Closing {
  readonly account: string;
  readonly isMarked: boolean;
}
