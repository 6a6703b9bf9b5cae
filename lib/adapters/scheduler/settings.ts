export interface ScheduleSettings {
  /** The schedule group, which must exist. */
  readonly groupName: string;
  /**
   * The role that schedules send with: it may send to the queues, and EventBridge Scheduler may assume it.
   */
  readonly roleArn: string;
  /** The queue for messages that a schedule could not send: a standard one. */
  readonly deadLetterArn?: string | undefined;
}
