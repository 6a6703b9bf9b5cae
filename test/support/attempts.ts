import { type Attempt, type Flow, startAttempt } from '../../lib/attempt/attempt.ts';
import { BatchPlace } from '../../lib/attempt/batch-place.ts';
import { Delivery } from '../../lib/attempt/delivery.ts';
import type { DeliveryDeadline } from '../../lib/attempt/invocation-deadline.ts';
import { SagaQueues } from '../../lib/attempt/saga-queue/saga-queue.ts';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../../lib/dynamodb/keys.ts';
import type { IncomingMessage } from '../../lib/messages/message.ts';

/** Of an invocation without an end. */
export const noDeadline: DeliveryDeadline = {
  assertTimeToStart: () => {},
  remainingMs: Number.POSITIVE_INFINITY,
  startableForMs: Number.POSITIVE_INFINITY,
  untilGiveUp: (call) => call(new AbortController().signal),
  onStartMargin: () => () => {},
};

/** One that has others beside it. */
export type BatchDelivery = Delivery & { readonly batch: BatchPlace };

/** At its first attempt. */
export function newDelivery(queues = new SagaQueues(), deadline = noDeadline): BatchDelivery {
  const batch = new BatchPlace(queues, deadline);
  const delivery = new Delivery({ deadline, batch });
  delivery.beginAttempt(true);
  return delivery as BatchDelivery;
}

/** For a message that is handled by itself. */
export async function takeTurn(
  { batch }: BatchDelivery,
  saga: SagaIdentity,
  messageId: string,
  signal: AbortSignal,
): Promise<void> {
  const queueEntry = await batch.enterQueue(saga, messageId, undefined, signal);
  await batch.waitForTurn(queueEntry, { sharing: undefined, saga, meter: new CapacityMeter() }, signal);
}

/** An attempt with a delivery of its own, which is never aborted, unless the test says so. */
export function attemptAt(
  flow: Flow,
  received: IncomingMessage,
  {
    delivery = newDelivery(),
    signal = new AbortController().signal,
  }: Partial<Pick<Attempt, 'delivery' | 'signal'>> = {},
): Attempt {
  return startAttempt(flow, received, { delivery, signal });
}
