import type { OutgoingMessage } from '../core/message.ts';
import type { Dispatcher } from '../ports.ts';

/** Keeps what it is given to send. */
export class MemoryDispatcher implements Dispatcher {
  readonly sent: OutgoingMessage[] = [];

  async dispatch(operations: readonly OutgoingMessage[]): Promise<void> {
    this.sent.push(...structuredClone(operations));
  }
}
