import type { QueueDestination } from '../core/destination.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { scheduleName } from '../core/schedule.ts';
import type { SdkClient } from '../core/sdk-client.ts';
import { callError } from '../core/send-rounds.ts';
import { settleAll } from '../core/settle.ts';
import type { Clock, Scheduler } from '../ports.ts';
import { createRequest } from './create-request.ts';
import { loadSchedulerSdk } from './sdk.ts';
import type { ScheduleSettings } from './settings.ts';

/** Errors that no retry helps. Source: "CreateSchedule" and "Common errors" in the EventBridge Scheduler API Reference. */
const finalErrors = new Set([
  'ResourceNotFoundException',
  'ValidationException',
  'AccessDeniedException',
  'AccessDenied',
]);

export interface EventBridgeSchedulerOptions extends ScheduleSettings {
  /** Called when there is something to schedule or to cancel. */
  readonly loadClient: () => Promise<SdkClient>;
  readonly clock: Clock;
}

/** Keeps each message in a one-time schedule of EventBridge Scheduler, which sends it to its queue. */
export class EventBridgeScheduler implements Scheduler {
  readonly #options: EventBridgeSchedulerOptions;

  constructor(options: EventBridgeSchedulerOptions) {
    this.#options = options;
  }

  async schedule(message: OutgoingMessage, destination: QueueDestination): Promise<void> {
    const { loadClient, clock } = this.#options;
    const [client, { CreateScheduleCommand }] = await settleAll([loadClient(), loadSchedulerSdk()]);
    try {
      const request = createRequest(message, destination, this.#options, clock.now());
      await client.send(new CreateScheduleCommand(request));
    } catch (error) {
      // The name is that of the message: it is scheduled already.
      if (isNamed(error, 'ConflictException')) return;
      throw this.#failure(destination.name, error);
    }
  }

  async cancel(messageId: string): Promise<void> {
    const { loadClient, groupName } = this.#options;
    const [client, { DeleteScheduleCommand }] = await settleAll([loadClient(), loadSchedulerSdk()]);
    try {
      await client.send(new DeleteScheduleCommand({ Name: scheduleName(messageId), GroupName: groupName }));
    } catch (error) {
      // It has sent its message and is deleted, or was never there.
      if (isNamed(error, 'ResourceNotFoundException') && !isOfGroup(error)) return;
      throw this.#failure(`the schedule of message ${messageId}`, error);
    }
  }

  #failure(destination: string, error: unknown) {
    return callError(`${destination} (schedule group ${this.#options.groupName})`, error, finalErrors);
  }
}

function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

/** The service has one error for both: only its message tells a group that is missing from a schedule. */
function isOfGroup({ message }: Error): boolean {
  return /^Schedule group\s/i.test(message);
}
