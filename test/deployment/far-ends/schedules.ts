import { GetScheduleCommand, paginateListSchedules, type SchedulerClient } from '@aws-sdk/client-scheduler';
import { type ExpectedOrder, timeouts } from './expected-effects.ts';
import { effectKey } from './judge-orders.ts';

/** The names of the schedules of a group, of which the emulator lists 100 and no next page. */
export async function scheduleNames(client: SchedulerClient, GroupName: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { Schedules = [] } of paginateListSchedules({ client }, { GroupName }))
    names.push(...Schedules.map(({ Name }) => String(Name)));
  return names;
}

/** The messages that wait in the schedules of a group, each as order and type. */
export async function scheduledMessages(client: SchedulerClient, GroupName: string): Promise<string[]> {
  const messages: string[] = [];
  for (const Name of await scheduleNames(client, GroupName)) {
    const message = await scheduledMessage(client, GroupName, Name);
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

/** `undefined` for a schedule that has sent its message since it was listed. */
async function scheduledMessage(
  client: SchedulerClient,
  GroupName: string,
  Name: string,
): Promise<string | undefined> {
  try {
    const { Target } = await client.send(new GetScheduleCommand({ GroupName, Name }));
    const { MessageBody, MessageAttributes } = JSON.parse(Target?.Input ?? '{}') as ScheduledRequest;
    const { orderId, process = '' } = JSON.parse(MessageBody) as { orderId?: string; process?: string };
    return effectKey(orderId ?? process, MessageAttributes['Sagabox.MessageType']?.StringValue ?? '');
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

interface ScheduledRequest {
  readonly MessageBody: string;
  readonly MessageAttributes: Readonly<Record<string, { readonly StringValue?: string }>>;
}

/** Compares the schedules with the timeouts that are pending when nothing else is on its way. */
export function judgeSchedules(orders: readonly ExpectedOrder[], scheduled: readonly string[]): string[] {
  const pending = orders.flatMap(({ orderId, pendingTimeouts }) =>
    pendingTimeouts.map((timeout) => effectKey(orderId, timeout)),
  );
  return [
    ...pending
      .filter((timeout) => !scheduled.includes(timeout))
      .map((timeout) => `${timeout} is pending and not scheduled`),
    ...scheduled
      .filter((message, index) => !pending.includes(message) || scheduled.indexOf(message) !== index)
      .map((message) => `${message} is still scheduled`),
  ];
}

/**
 * Whether a complaint is of a timeout that was scheduled again after it was cancelled. The redelivery of a
 * message whose function died between its dispatch and its mark dispatches again, at least once as promised,
 * and so makes the schedule again that another message has cancelled meanwhile. Its message is discarded.
 */
export function isScheduledAgain(complaint: string): boolean {
  return timeouts.some((timeout) => complaint.endsWith(` ${timeout} is still scheduled`));
}
