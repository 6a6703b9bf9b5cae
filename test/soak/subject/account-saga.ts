import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { defineSaga, UnrecoverableError } from 'sagabox';
import { boolean, number, object, string } from 'valibot';
import type { Mode } from './modes.ts';

export const messageTypes = {
  booking: (mode: Mode) => `${mode}Booking`,
  closing: (mode: Mode) => `${mode}Closing`,
};
export const entryType = 'Entry';
export const ledgerDestination = 'ledger';

interface AccountState {
  /** The numbers of the bookings that were applied, in their order. */
  bookings: number[];
}

/** What a booking sends: tells its booking, and the run of the handler that sent it. */
export interface Entry {
  readonly source: string;
  readonly ordinal: number;
  readonly attempt: string;
  /** Of an account that is closed. */
  readonly bookings?: readonly number[];
}

export interface AccountSagaOptions {
  readonly mode: Mode;
  readonly markTable: string;
  /** Whether this run of a handler is to fail, as by an error of its own. */
  readonly fails: () => boolean;
}

export function sagaName(mode: Mode): string {
  return `${mode}Account`;
}

/**
 * Applies each message in three ways, which commit together or not at all: to the state of its saga, to a mark of its own that
 * counts, and by what it sends. Each run of a handler names itself in what it sends and in the mark, so that what was sent by
 * one that did not commit shows.
 */
export function accountSaga({ mode, markTable, fails }: AccountSagaOptions) {
  const booking = messageTypes.booking(mode);
  const closing = messageTypes.closing(mode);
  const markOf = (messageId: string, attempt: string) => ({
    Update: {
      TableName: markTable,
      Key: { PK: { S: messageId }, SK: { S: 'MARK' } },
      UpdateExpression: 'ADD applied :one SET attempt = :attempt',
      ExpressionAttributeValues: { ':one': { N: '1' }, ':attempt': { S: attempt } },
    },
  });
  return defineSaga({
    name: sagaName(mode),
    messages: {
      [booking]: object({
        account: string(),
        number: number(),
        sends: number(),
        fillingBytes: number(),
        pauseMs: number(),
        isPoison: boolean(),
      }),
      [closing]: object({ account: string() }),
    },
    correlate: { [booking]: (body) => body.account, [closing]: (body) => body.account },
    startedBy: [booking],
    initialState: (): AccountState => ({ bookings: [] }),
    handlers: {
      async [booking](message, { saga, send, transaction }) {
        const { id, body } = message as unknown as { id: string; body: Booking };
        const attempt = randomUUID();
        transaction.add(markOf(id, attempt));
        saga.state.bookings.push(body.number);
        for (let ordinal = 0; ordinal < body.sends; ordinal += 1) {
          const filling = randomBytes(body.fillingBytes).toString('base64');
          send(ledgerDestination, entryType, { source: id, ordinal, attempt, filling });
        }
        if (body.pauseMs > 0) await delay(body.pauseMs);
        if (body.isPoison) throw new UnrecoverableError('This booking cannot be applied');
        if (fails()) throw new Error('The handler failed');
      },
      [closing](message, { saga, send, transaction }) {
        const attempt = randomUUID();
        transaction.add(markOf(message.id, attempt));
        const { bookings } = saga.state;
        send(ledgerDestination, entryType, { source: message.id, ordinal: 0, attempt, bookings });
        saga.complete();
      },
    },
  });
}

export interface Booking {
  readonly account: string;
  readonly number: number;
  /** How many messages its handler sends. */
  readonly sends: number;
  /** Of each of these. */
  readonly fillingBytes: number;
  /** How long its handler takes. */
  readonly pauseMs: number;
  /** Whether its handler always fails, after it has recorded what it would do. */
  readonly isPoison: boolean;
}
