import { toSeconds } from './duration.ts';

/** How long the queue of a `MessageEndpoint`, and those of its failed messages, keep a message by default. */
export const retentionDefaults = { retention: { days: 4 }, deadLetterRetention: { days: 7 } } as const;

/**
 * How long after it was first sent a message can be delivered: it may wait in the queue for all of its
 * `retention`, then in the error queue, where it is a new message of SQS, and in the queue again once it is
 * moved back. So may a dead letter of a FIFO queue. Source: "Using dead-letter queues in Amazon SQS"
 * (retention periods).
 */
export function messageLifetimeSeconds(retentionSeconds: number, deadLetterRetentionSeconds: number): number {
  return 2 * retentionSeconds + deadLetterRetentionSeconds;
}

const { retention, deadLetterRetention } = retentionDefaults;
const lifetimeSeconds = messageLifetimeSeconds(toSeconds(retention), toSeconds(deadLetterRetention));

/** How long an endpoint with a queue and its failure queues, all with the retentions by default, knows a message. */
export const defaultMessageLifetime = { days: lifetimeSeconds / (24 * 3600) };
