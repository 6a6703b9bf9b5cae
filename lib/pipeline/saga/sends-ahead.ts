import type { Attempt, Flow } from '../../attempt/attempt.ts';
import type { QueueEntry } from '../../attempt/saga-queue/queue-entry.ts';
import { isFifo } from '../../messages/destinations/destination.ts';
import { isCancellation } from '../../messages/message.ts';
import type { OutboxRecord } from '../../outbox/record.ts';

/** Waits until the outgoing messages of a group member cannot overtake those of earlier members. */
export async function untilSentAhead(
  { flow, delivery, signal }: Attempt,
  queueEntry: QueueEntry | undefined,
  record: OutboxRecord,
): Promise<void> {
  if (queueEntry && goesInOrder(flow, record)) await delivery.batch?.waitFor(queueEntry.sentAhead(), signal);
}

function goesInOrder({ sending }: Flow, { operations }: OutboxRecord): boolean {
  return operations.some((operation) => {
    if (isCancellation(operation)) return true;
    const destination = sending.destinations.get(operation.destination);
    return destination !== undefined && isFifo(destination);
  });
}
