import { type IncomingMessage, isTimeout } from '../messages/message.ts';
import type { StoredSaga } from './saga-state.ts';

/**
 * Whether the message has a saga to be handled by. A timeout has none if it was cancelled, or belongs to an
 * earlier saga with the same id.
 */
export function isAwaited(message: IncomingMessage, stored: StoredSaga | undefined, starts = false): boolean {
  if (isTimeout(message)) return stored?.timeouts.some(({ id }) => id === message.id) ?? false;
  return starts || stored !== undefined;
}
