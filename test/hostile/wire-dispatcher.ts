import type { QueueDestination } from '../../lib/messages/destinations/destination.ts';
import { isCancellation, type OutgoingOperation } from '../../lib/messages/message.ts';
import { pack, unpack } from '../../lib/outbox/packing.ts';
import { toEntry } from '../../lib/sending/transports/send-service.sqs.ts';
import { MemoryDispatcher } from '../../lib/testing/memory/dispatcher.ts';

const identity = { endpoint: 'orders', messageId: 'in-1' };

/** Takes only what can be read from a record again, and written as a request of SQS. */
export class WireDispatcher extends MemoryDispatcher {
  override async dispatch(operations: readonly OutgoingOperation[]): Promise<void> {
    const stored = unpack(pack(operations, identity), 's', identity);
    for (const [index, operation] of stored.entries()) {
      if (isCancellation(operation)) continue;
      JSON.stringify(toEntry(operation, queueNamed(operation.destination), index));
    }
    await super.dispatch(stored);
  }
}

function queueNamed(name: string): QueueDestination {
  return { kind: 'queue', name, queueUrl: `https://queues.test/${name}`, fifo: false };
}
