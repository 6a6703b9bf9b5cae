import { headerNames } from '../../core/incoming/headers.ts';
import type { IncomingMessage } from '../../core/incoming/message.ts';
import type { StoredSaga } from '../../core/saga/saga-state.ts';

/** Whether a saga sent the message to itself as a timeout. */
export function isTimeout(message: IncomingMessage): boolean {
  return message.headers[headerNames.timeout] === 'true';
}

/** False if the timeout was cancelled, or belongs to an earlier saga with the same id. */
export function waitsFor(message: IncomingMessage, stored: StoredSaga | undefined): boolean {
  return stored?.timeouts.some(({ id }) => id === message.id) ?? false;
}
