import { randomBytes } from 'node:crypto';
import type { HandlerContext } from 'sagabox';

/** Of what all workers are. */
export const endpointName = 'accounts';

export const entryType = 'Entry';
export const ledgerDestination = 'ledger';

/** What a handler sends: tells its message, and the run of the handler that sent it. */
export interface Entry {
  readonly source: string;
  readonly ordinal: number;
  readonly attempt: string;
  /** Of an account that is closed. */
  readonly bookings?: readonly number[];
}

/** How much a handler is to send. */
export interface Sends {
  /** How many messages. */
  readonly sends: number;
  /** In each of these. */
  readonly fillingBytes: number;
}

export function sendEntries(
  send: HandlerContext['send'],
  source: string,
  attempt: string,
  { sends, fillingBytes }: Sends,
): void {
  for (let ordinal = 0; ordinal < sends; ordinal += 1) {
    const filling = randomBytes(fillingBytes).toString('base64');
    send(ledgerDestination, entryType, { source, ordinal, attempt, filling });
  }
}
