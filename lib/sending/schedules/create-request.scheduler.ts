import type { CreateScheduleCommandInput } from '@aws-sdk/client-scheduler';
import type { QueueDestination } from '../../messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import { scheduleInput, scheduleName } from '../../messages/wire-format/schedule.ts';

export interface ScheduleSettings {
  /** The schedule group, which must exist. */
  readonly groupName: string;
  /**
   * The role that schedules send with: it may send to the queues, and EventBridge Scheduler may assume it.
   */
  readonly roleArn: string;
  /** The queue for messages that a schedule could not send: a standard one. */
  readonly deadLetterArn?: string | undefined;
  /** The ARN of the key that schedules are encrypted with. @default - a key of AWS */
  readonly kmsKeyArn?: string | undefined;
}

/**
 * The target that sends its input, a request, to SQS. Source: "Using universal targets" in the EventBridge
 * Scheduler User Guide.
 */
const SEND_MESSAGE_TARGET = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage';

/** A schedule must lie ahead when it is created, and creating it takes time. */
const SHORTEST_LEAD_MS = 10_000;

/** Returns the request for a schedule that sends a message once, and is deleted then. */
export function createRequest(
  message: OutgoingMessage,
  destination: QueueDestination,
  { groupName, roleArn, deadLetterArn, kmsKeyArn }: ScheduleSettings,
  now: Date,
): CreateScheduleCommandInput {
  return {
    Name: scheduleName(message.id),
    GroupName: groupName,
    ClientToken: message.id,
    ScheduleExpression: `at(${scheduledTime(message.dueAt, now)})`,
    ScheduleExpressionTimezone: 'UTC',
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    ...(kmsKeyArn !== undefined && { KmsKeyArn: kmsKeyArn }),
    Target: {
      Arn: SEND_MESSAGE_TARGET,
      RoleArn: roleArn,
      Input: scheduleInput(message, destination),
      ...(deadLetterArn === undefined ? {} : { DeadLetterConfig: { Arn: deadLetterArn } }),
    },
  };
}

/** Returns the time of a schedule, which has whole seconds, and never comes before the message is due. */
function scheduledTime(dueAt: string | undefined, now: Date): string {
  const earliestMs = now.getTime() + SHORTEST_LEAD_MS;
  const dueMs = dueAt === undefined ? earliestMs : Math.max(new Date(dueAt).getTime(), earliestMs);
  return new Date(Math.ceil(dueMs / 1000) * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
}
