import { isCancellation } from '../../core/incoming/message.ts';
import type { OutboxRecord } from '../../core/outbox/record.ts';
import { isFifo } from '../../core/outgoing/destination.ts';
import type { Attempt, Flow } from '../attempt.ts';
import type { SagaPlace } from './saga-place.ts';

/** Waits until the outgoing messages of a group member cannot overtake those of earlier members. */
export async function untilSentAhead(
  { flow, delivery, signal }: Attempt,
  place: SagaPlace | undefined,
  record: OutboxRecord,
): Promise<void> {
  if (place && goesInOrder(flow, record)) await delivery.batch?.waitFor(place.sentAhead(), signal);
}

function goesInOrder({ sending }: Flow, { operations }: OutboxRecord): boolean {
  return operations.some((operation) => {
    if (isCancellation(operation)) return true;
    const destination = sending.destinations.get(operation.destination);
    return destination !== undefined && isFifo(destination);
  });
}
