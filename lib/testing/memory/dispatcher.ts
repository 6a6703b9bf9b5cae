import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../../messages/message.ts';
import type { DispatchOptions } from '../../sending/dispatch-options.ts';
import type { Dispatcher } from '../../sending/dispatcher.ts';

/** Keeps the messages that are sent, and the ids of those that are taken back. */
export class MemoryDispatcher implements Dispatcher {
  readonly sent: OutgoingMessage[] = [];
  readonly cancelled: string[] = [];

  async dispatch(operations: readonly OutgoingOperation[], { onTaken }: DispatchOptions = {}): Promise<void> {
    for (const operation of operations) {
      if (isCancellation(operation)) this.cancelled.push(operation.cancels);
      else this.sent.push(structuredClone(operation));
      onTaken?.([operation.id]);
    }
  }
}
