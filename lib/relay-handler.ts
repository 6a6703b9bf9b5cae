/** Entry of the function that the construct `OutboxRelay` makes. */
import { relayOutbox } from './middleware/relay/relay-outbox.ts';

export const handler = relayOutbox();
