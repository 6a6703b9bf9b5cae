import type { MessageEndpoint } from '../endpoint/message-endpoint.ts';
import type { SendOnlyEndpoint } from '../send-only/send-only-endpoint.ts';

/** Whose records a relay can find. */
export type RelayedEndpoint = MessageEndpoint | SendOnlyEndpoint;
