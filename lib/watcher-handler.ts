/** Entry of the watcher's function that the construct `OutboxRelay` makes. */
import { watchOutbox } from './compose/relay/watch-outbox.ts';

export const handler = watchOutbox();
