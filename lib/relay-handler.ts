/** Entry of the function that the construct `OutboxRelay` makes. */
import { relayOutbox } from './compose/relay/relay-outbox.ts';

export const handler = relayOutbox();
