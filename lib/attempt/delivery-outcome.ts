/** How a delivery ended: the message is acknowledged, or returned to its queue. */
export type DeliveryOutcome = 'acknowledged' | Returned;

export interface Returned {
  /** The visibility timeout to set, in seconds; undefined for that of the queue. */
  readonly retryInSeconds: number | undefined;
  /**
   * Set at the last delivery: SQS moves the message to the dead letter queue rather than deliver it again.
   */
  readonly leavesQueue?: boolean;
  /**
   * Set if the failure may be an outage: not for conflicts, delays that a policy asked for, or messages that
   * were not started.
   */
  readonly failure?: unknown;
}

/** Whether the message is delivered again, ahead of those behind it in its FIFO group. */
export function comesBack(outcome: DeliveryOutcome): boolean {
  return outcome !== 'acknowledged' && outcome.leavesQueue !== true;
}
