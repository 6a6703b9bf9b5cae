import type { GetScheduleGroupCommandOutput } from '@aws-sdk/client-scheduler';
import { beforeAbort } from '../../kernel/async/before-abort.ts';
import { settleAll } from '../../kernel/async/settle.ts';
import type { SdkClient } from '../../kernel/calls/sdk-client.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { QueueDestination } from '../../messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import { scheduleName } from '../../messages/wire-format/schedule.ts';
import { callFailure, dispatchError } from '../transports/send-failure.ts';
import { createRequest, type ScheduleSettings } from './create-request.scheduler.ts';
import type { Scheduler } from './scheduler.ts';
import { loadSchedulerSdk } from './sdk.scheduler.ts';

/**
 * Errors that no retry helps. Source: "CreateSchedule" and "Common errors" in the EventBridge Scheduler API
 * Reference.
 */
const finalErrors = new Set([
  'ResourceNotFoundException',
  'ValidationException',
  'AccessDeniedException',
  'AccessDenied',
]);

export interface EventBridgeSchedulerOptions extends ScheduleSettings {
  /** Loads the client when there is something to schedule or to cancel. */
  readonly loadClient: () => Promise<SdkClient>;
  readonly clock: Clock;
}

/** Keeps each message in a one-time schedule of EventBridge Scheduler, which sends it to its queue. */
export class EventBridgeScheduler implements Scheduler {
  readonly #options: EventBridgeSchedulerOptions;

  constructor(options: EventBridgeSchedulerOptions) {
    this.#options = options;
  }

  async schedule(
    message: OutgoingMessage,
    destination: QueueDestination,
    signal?: AbortSignal,
  ): Promise<void> {
    const { loadClient, clock } = this.#options;
    const [client, { CreateScheduleCommand }] = await settleAll([loadClient(), loadSchedulerSdk()]);
    const request = createRequest(message, destination, this.#options, clock.now());
    try {
      await this.#send(client, new CreateScheduleCommand(request), signal);
    } catch (error) {
      // The schedule has the name of the message: one that exists is the message's own.
      if (isNamed(error, 'ConflictException') && (await this.#isScheduled(client, message.id, signal)))
        return;
      throw this.#failure(destination.name, error, signal);
    }
  }

  async cancel(messageId: string, signal?: AbortSignal): Promise<void> {
    const { loadClient, groupName } = this.#options;
    const [client, { DeleteScheduleCommand }] = await settleAll([loadClient(), loadSchedulerSdk()]);
    const command = new DeleteScheduleCommand({ Name: scheduleName(messageId), GroupName: groupName });
    try {
      await this.#send(client, command, signal);
    } catch (error) {
      // The schedule has sent its message and is deleted, or never existed.
      if (isNamed(error, 'ResourceNotFoundException') && !isOfGroup(error)) return;
      throw this.#failure(`the schedule of message ${messageId}`, error, signal);
    }
  }

  /**
   * Whether a conflict means that the message waits in its schedule. It may also mean that the group is being
   * deleted, together with all that waits in it, or that the schedule was deleted meanwhile: then the message
   * is to be scheduled again.
   */
  async #isScheduled(client: SdkClient, messageId: string, signal?: AbortSignal): Promise<boolean> {
    const { groupName } = this.#options;
    const { GetScheduleCommand, GetScheduleGroupCommand } = await loadSchedulerSdk();
    const target = { Name: scheduleName(messageId), GroupName: groupName };
    try {
      const [, group] = await settleAll([
        this.#send(client, new GetScheduleCommand(target), signal),
        this.#send(client, new GetScheduleGroupCommand({ Name: groupName }), signal),
      ]);
      return (group as GetScheduleGroupCommandOutput).State !== 'DELETING';
    } catch (error) {
      if (isNamed(error, 'ResourceNotFoundException')) return false;
      throw this.#failure(`the schedule of message ${messageId}`, error, signal);
    }
  }

  /**
   * Sends a command, and waits until the signal is aborted. The call may still take effect, which does no
   * harm: the message's record is not marked, so that the next delivery makes the same call, and finds it
   * done.
   */
  async #send(client: SdkClient, command: object, abortSignal: AbortSignal | undefined): Promise<unknown> {
    return await beforeAbort(client.send(command, { abortSignal }), abortSignal);
  }

  #failure(destination: string, error: unknown, signal: AbortSignal | undefined) {
    if (signal?.aborted) return signal.reason;
    const name = `${destination} (schedule group ${this.#options.groupName})`;
    return dispatchError(name, [callFailure(error, finalErrors)]);
  }
}

function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name;
}

/** Whether the group is missing, and not the schedule: only the message of the error tells. */
function isOfGroup({ message }: Error): boolean {
  return /^Schedule group\s/i.test(message);
}
