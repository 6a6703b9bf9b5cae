/** Entry of the function that the construct `OutboxRecovery` makes. */
import { recoverOutbox } from './middleware/recover-outbox.ts';

export const handler = recoverOutbox();
