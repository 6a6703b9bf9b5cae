import type { QueueDestination } from '../../messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../messages/message.ts';

export interface Scheduler {
  /**
   * Scheduling the same message twice is harmless.
   *
   * @param message has a `dueAt`
   * @throws SagaboxError `DispatchFailed` or `DispatchRefused`; the reason of the signal once that is aborted
   */
  schedule(message: OutgoingMessage, destination: QueueDestination, signal?: AbortSignal): Promise<void>;
  /**
   * Does nothing when the message is not scheduled, or was sent.
   *
   * @throws SagaboxError `DispatchFailed` or `DispatchRefused`; the reason of the signal once that is aborted
   */
  cancel(messageId: string, signal?: AbortSignal): Promise<void>;
}
