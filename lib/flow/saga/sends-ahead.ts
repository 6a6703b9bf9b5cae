import { isCancellation } from '../../core/incoming/message.ts';
import type { OutboxRecord } from '../../core/outbox/record.ts';
import { isFifo } from '../../core/outgoing/destination.ts';
import type { Attempt, Flow } from '../attempt.ts';
import type { QueueEntry } from './queue-entry.ts';

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
