/**
 * How long after it was first sent a message can be delivered: it may wait in the queue for all of its
 * `retention`, then in the error queue, where it is a new message of SQS, and in the queue again once it is
 * moved back. So may a dead letter of a FIFO queue. Source: "Using dead-letter queues in Amazon SQS"
 * (retention periods).
 */
export function messageLifetimeSeconds(retentionSeconds: number, deadLetterRetentionSeconds: number): number {
  return 2 * retentionSeconds + deadLetterRetentionSeconds;
}
