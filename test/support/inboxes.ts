import { Inbox } from '../../lib/outbox/embedded/inbox.ts';
import { SALT_BYTES } from '../../lib/outbox/embedded/salted-hash.ts';

/** A salt for tests to which it does not matter. */
export const someSalt = new Uint8Array(SALT_BYTES).fill(7);

export const emptyInbox = new Inbox(someSalt);
